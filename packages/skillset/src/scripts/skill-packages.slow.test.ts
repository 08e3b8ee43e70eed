import { chmodSync, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { buildTarball, buildWheel } from "../../../../test/packages/archives.ts";
import { cacheFolder } from "../../../../test/packages/cache-folder.ts";
import { servePackages } from "../../../../test/packages/package-registry.ts";
import { skillMd, temporaryFolder } from "../../../../test/temporary-folder.ts";
import { scriptHostsOf } from "../core/host/skill-host.ts";
import type { PackageOptions } from "../core/script/packages.ts";
import type { ConsentAnswer, ConsentRequest, ScriptRunner } from "../core/script/script.ts";
import type { ScriptOptions } from "../core/script/script-options.ts";
import { createSkillset } from "../node/load/create-skillset.ts";
import { bubblewrap } from "./runners/bubblewrap.ts";

const hasSandbox = (await bubblewrap().check()) === undefined;

const WHEELS = {
  "greet-1.0-py3-none-any.whl": buildWheel(
    "greet",
    "1.0",
    { "greet/__init__.py": "import words\ndef hello(): return words.HELLO\n" },
    ["words>=2"],
  ),
  "words-2.1-py3-none-any.whl": buildWheel("words", "2.1", { "words.py": "HELLO = 'hello from a wheel'\n" }),
  "source-1.0.tar.gz": buildTarball({
    "source-1.0/setup.py":
      "open('/output/canary', 'w').write('ran')\nfrom setuptools import setup\nsetup(name='source', version='1.0')\n",
    "source-1.0/PKG-INFO": "Metadata-Version: 2.1\nName: source\nVersion: 1.0\n",
  }),
};

const NPM = {
  shout: {
    version: "1.2.0",
    manifest: { dependencies: { loud: "^2.0.0" }, scripts: { postinstall: "echo ran > /output/canary" } },
    files: { "index.js": "module.exports = (text) => require('loud')(text) + '!';\n" },
  },
  loud: { version: "2.0.1", files: { "index.js": "module.exports = (text) => text.toUpperCase();\n" } },
};

const SKILL = {
  "tea/scripts/hello.py": "import greet\nprint(greet.hello())\n",
  "tea/scripts/shout.mjs": "import shout from 'shout';\nconsole.log(shout('tea'));\n",
  "tea/scripts/shout.cjs": "console.log(require('shout')('tea'));\n",
};

async function open(files: Readonly<Record<string, string>>, packages: PackageOptions, scripts: ScriptOptions = {}) {
  const folder = temporaryFolder({ "tea/SKILL.md": skillMd("tea"), ...files });
  const cache = packages.folder ?? cacheFolder();
  const asked: ConsentRequest[] = [];
  const consent = (request: ConsentRequest): ConsentAnswer => {
    asked.push(request);
    return "once";
  };
  const skills = await createSkillset([join(folder, "tea")], {
    onProblem: () => {},
    scripts: { runner: "bubblewrap", packages: { folder: cache, ...packages }, consent, ...scripts },
  });
  return { session: await skills.session(), host: scriptHostsOf(skills)[0], cache, asked };
}

test.skipIf(!hasSandbox)("wheels with their dependencies are installed once, and scripts find them", async () => {
  const registry = await servePackages(WHEELS);
  const files = { ...SKILL, "tea/requirements.txt": "greet>=1  # says hello\n" };
  const { session, asked, cache } = await open(files, registry.addresses);
  const before = await session.scripts.run("tea", "scripts/hello.py");
  expect(before).toMatchObject({
    exitCode: 1,
    hint: expect.stringContaining("The packages that skill 'tea' declares are not installed."),
  });
  expect(await session.scripts.prepare("tea")).toMatchObject({ outcome: "installed", level: "bubblewrap" });
  expect(asked.at(-1)).toMatchObject({ skill: "tea", packages: { python: ["greet>=1"], npm: [] } });
  const after = await session.scripts.run("tea", "scripts/hello.py");
  expect(after).toMatchObject({ exitCode: 0, stdout: "hello from a wheel\n" });
  expect(after).not.toHaveProperty("hint");
  const requests = registry.requests.length;
  expect(await session.scripts.prepare("tea")).toMatchObject({ outcome: "unchanged" });
  expect(registry.requests).toHaveLength(requests);
  expect(readdirSync(cache)).toHaveLength(1);
  expect(session.ledger.entries.flatMap((one) => (one.type === "packages-prepared" ? one.outcome : []))).toEqual([
    "installed",
    "unchanged",
  ]);
});

test.skipIf(!hasSandbox)(
  "packages of npm are found by import and by require, and their lifecycle scripts do not run",
  async () => {
    const registry = await servePackages({}, NPM);
    const files = { ...SKILL, "tea/scripts/package.json": JSON.stringify({ dependencies: { shout: "^1.0.0" } }) };
    const { session, cache } = await open(files, registry.addresses);
    const prepared = await session.scripts.prepare("tea");
    expect(prepared).toMatchObject({ outcome: "installed", declared: { npm: ["shout@^1.0.0"] } });
    for (const script of ["scripts/shout.mjs", "scripts/shout.cjs"])
      expect(await session.scripts.run("tea", script)).toMatchObject({ exitCode: 0, stdout: "TEA!\n" });
    const [key = ""] = readdirSync(cache);
    expect(readdirSync(join(cache, key)).sort()).toEqual(["node_modules", "packages.json"]);
  },
);

test.skipIf(!hasSandbox)("a package without a wheel is not installed, and its build does not run", async () => {
  const registry = await servePackages(WHEELS);
  const { session, cache } = await open({ "tea/requirements.txt": "source\n" }, registry.addresses);
  expect(await session.scripts.prepare("tea")).toMatchObject({
    outcome: "failed",
    reason: expect.stringMatching(/No matching distribution found for source\. Only wheels are installed/),
  });
  expect(readdirSync(cache)).toEqual([]);
});

test.skipIf(!hasSandbox)("code that a wheel starts with Python runs in the script's sandbox only", async () => {
  const canary = join(temporaryFolder(), "canary");
  const code = `import os\ntry: open(${JSON.stringify(canary)}, "w").write("ran")\nexcept OSError: os.environ["TRIED"] = "yes"\n`;
  const pth = `import os; os.environ["PTH"] = "ran"; open(${JSON.stringify(canary)}, "w")\n`;
  const wheel = buildWheel("early", "1.0", { "sitecustomize.py": code, "early.pth": pth, "early.py": "" });
  const registry = await servePackages({ "early-1.0-py3-none-any.whl": wheel });
  const script = "import os\nprint(os.environ.get('TRIED'), os.environ.get('PTH'), os.path.exists('/node_modules'))\n";
  const { session } = await open({ "tea/requirements.txt": "early", "tea/scripts/a.py": script }, registry.addresses);
  expect(await session.scripts.prepare("tea")).toMatchObject({ outcome: "installed" });
  expect(existsSync(canary)).toBe(false);
  expect(await session.scripts.run("tea", "scripts/a.py")).toMatchObject({ stdout: "yes None False\n" });
  expect(existsSync(canary)).toBe(false);
});

test.skipIf(!hasSandbox)("a wheel cannot write outside the folder of packages", async () => {
  const wheel = buildWheel("climb", "1.0", {
    "climb.py": "",
    "../../../escaped.py": "ran",
    "/output/escaped.py": "ran",
  });
  const registry = await servePackages({ "climb-1.0-py3-none-any.whl": wheel });
  const outer = cacheFolder();
  const options = { ...registry.addresses, folder: join(outer, "a/b/c") };
  const { session } = await open({ "tea/requirements.txt": "climb" }, options);
  const { outcome } = await session.scripts.prepare("tea");
  const written = readdirSync(outer, { recursive: true, encoding: "utf8" });
  expect(outcome).toBe("failed");
  expect(written.filter((path) => path.includes("escaped"))).toEqual([]);
});

test.skipIf(!hasSandbox)("scripts cannot change installed packages", async () => {
  const registry = await servePackages(WHEELS);
  const change = "import words\nopen(words.__file__, 'a').write('changed')\n";
  const { session } = await open({ "tea/requirements.txt": "words", "tea/scripts/a.py": change }, registry.addresses);
  await session.scripts.prepare("tea");
  expect(await session.scripts.run("tea", "scripts/a.py")).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(/Read-only|denied/),
  });
});

test.skipIf(!hasSandbox)(
  "nothing is requested without consent, and consent for scripts is none for packages",
  async () => {
    const registry = await servePackages(WHEELS);
    const files = { ...SKILL, "tea/requirements.txt": "greet" };
    const consent = ({ packages }: ConsentRequest): ConsentAnswer => (packages === undefined ? "always" : "deny");
    const { session, cache } = await open(files, registry.addresses, { consent });
    await session.scripts.run("tea", "scripts/hello.py");
    expect(await session.scripts.prepare("tea")).toMatchObject({
      outcome: "refused",
      reason: "The packages of skill 'tea' may not be installed: consent was denied.",
    });
    expect(registry.requests).toEqual([]);
    expect(readdirSync(cache)).toEqual([]);
  },
);

test.skipIf(!hasSandbox)("an aborted installation ends, and leaves nothing behind", async () => {
  const registry = await servePackages(WHEELS);
  const { session, cache } = await open({ "tea/requirements.txt": "greet" }, registry.addresses);
  const abort = new AbortController();
  const result = await session.scripts.prepare("tea", { signal: abort.signal, onOutput: () => abort.abort() });
  expect(result).toMatchObject({ outcome: "aborted" });
  expect(readdirSync(cache)).toEqual([]);
});

test.skipIf(!hasSandbox)("two sessions that install the same packages at once both can use them", async () => {
  const registry = await servePackages(WHEELS);
  const files = { ...SKILL, "tea/requirements.txt": "greet" };
  const first = await open(files, registry.addresses);
  const second = await open(files, { ...registry.addresses, folder: first.cache });
  const results = await Promise.all([first, second].map(({ session }) => session.scripts.prepare("tea")));
  expect(results.map(({ outcome }) => outcome)).toEqual(["installed", "installed"]);
  expect(readdirSync(first.cache)).toHaveLength(1);
  for (const { session } of [first, second])
    expect(await session.scripts.run("tea", "scripts/hello.py")).toMatchObject({ exitCode: 0 });
});

test("if the machine's registry has changed, packages are installed again from the new one", async () => {
  const used: string[] = [];
  const runner: ScriptRunner = {
    level: "plain",
    check: async () => undefined,
    run: async () => ({ outcome: "refused", reason: "" }),
    platform: async () => "test",
    prepare: async ({ pythonIndex }) => {
      used.push(pythonIndex);
      return { outcome: "exited", exitCode: 0, command: [], stdout: "", stderr: "" };
    },
  };
  const { session, asked } = await open({ "tea/requirements.txt": "greet" }, {}, { runner });
  const outcomes: string[] = [];
  for (const host of ["one", "one", "two"]) {
    vi.stubEnv("PIP_INDEX_URL", `https://${host}.example/simple`);
    outcomes.push((await session.scripts.prepare("tea")).outcome);
  }
  expect(outcomes).toEqual(["installed", "unchanged", "installed"]);
  expect(used).toEqual(["https://one.example/simple", "https://two.example/simple"]);
  expect(asked.map(({ packages }) => packages?.pythonIndex)).toEqual(used);
});

test("refused declarations are reported, and nobody is asked", async () => {
  const files = { ...SKILL, "tea/requirements.txt": "greet\n-r more.txt\n./evil\n" };
  const { session, asked } = await open(files, {}, { runner: "subprocess" });
  expect(await session.scripts.prepare("tea")).toMatchObject({
    outcome: "refused",
    reason: expect.stringMatching(
      /^requirements\.txt, line 2: options are not allowed: "-r more\.txt"\. .* And 1 more\.$/,
    ),
  });
  expect(asked).toEqual([]);
});

test("a runner that cannot install packages names one that can", async () => {
  const { session, asked } = await open({ "tea/requirements.txt": "greet" }, {}, { runner: "subprocess" });
  expect(await session.scripts.prepare("tea")).toMatchObject({
    outcome: "refused",
    reason: "The runner 'subprocess' cannot install packages. Use the runner 'bubblewrap' (Linux).",
  });
  expect(asked).toEqual([]);
});

test.skipIf(process.platform === "win32")(
  "a folder for packages that others can write to is not used, and scripts run anyway",
  async () => {
    const files = { "tea/requirements.txt": "greet", "tea/scripts/a.sh": "echo hot\n" };
    const { session, cache } = await open(files, {}, { runner: "subprocess" });
    chmodSync(cache, 0o777);
    expect(await session.scripts.run("tea", "scripts/a.sh")).toMatchObject({ exitCode: 0, stdout: "hot\n" });
  },
);

test("a skill without packages needs no preparation", async () => {
  const { session, host } = await open(SKILL, {}, { runner: "subprocess" });
  expect(await session.scripts.prepare("tea")).toMatchObject({ outcome: "nothing-declared" });
  const skill = session.skillset.get("tea");
  expect(await host?.packagesOf(skill as never, new AbortController().signal)).toMatchObject({ state: "none" });
});

test("a runner that cannot use packages says so when a module is missing", async () => {
  const runner: ScriptRunner = {
    level: "plain",
    check: async () => undefined,
    run: async () => ({
      outcome: "exited",
      exitCode: 1,
      command: [],
      stdout: "",
      stderr: "ModuleNotFoundError: No module named 'greet'",
    }),
  };
  const { session } = await open({ ...SKILL, "tea/requirements.txt": "greet" }, {}, { runner });
  expect(await session.scripts.run("tea", "scripts/hello.py")).toMatchObject({
    hint: "Skill 'tea' declares packages, and the runner 'plain' cannot use packages.",
  });
});

test("if a module is missing whose declaration is refused, the hint says what is wrong with it", async () => {
  const files = { ...SKILL, "tea/requirements.txt": "greet\n-r more.txt\n" };
  const { session } = await open(files, {}, { runner: "subprocess" });
  expect(await session.scripts.run("tea", "scripts/hello.py")).toMatchObject({
    hint: expect.stringMatching(
      /^Skill 'tea' declares packages that cannot be installed\. requirements\.txt, line 2: options are not allowed/,
    ),
  });
});

test.each([
  [{ pythonIndex: "http://example.com/simple" }, "does not use https"],
  [{ npmRegistry: "nothing" }, "is not an address"],
  [{ folder: "" }, "'packages.folder' must be a path."],
  [{ maxBytes: -1 }, "'packages.maxBytes' must be a number of at least 0"],
])("the option packages: %j is refused", async (packages, message) => {
  await expect(open({}, packages, { runner: "subprocess" })).rejects.toThrow(message);
});
