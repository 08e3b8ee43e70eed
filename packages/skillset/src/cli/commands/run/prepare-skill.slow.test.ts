import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { buildWheel } from "../../../../../../test/packages/archives.ts";
import { cacheFolder } from "../../../../../../test/packages/cache-folder.ts";
import { servePackages } from "../../../../../../test/packages/package-registry.ts";
import { skillMd, temporaryFolder } from "../../../../../../test/temporary-folder.ts";
import { bubblewrap } from "../../../scripts/runners/bubblewrap.ts";
import { runCaptured, type World } from "../../run-captured.ts";

const hasSandbox = (await bubblewrap().check()) === undefined;

const FILES = {
  "tea/SKILL.md": skillMd("tea", "Makes tea."),
  "tea/requirements.txt": "words>=2\n",
  "tea/scripts/hello.py": "import words\nprint(words.HELLO)\n",
};

const WHEELS = { "words-2.1-py3-none-any.whl": buildWheel("words", "2.1", { "words.py": "HELLO = 'hello'\n" }) };

/** Runs `skillset run ./tea` with a registry on loopback, and its own folder for packages. */
async function open(files: Readonly<Record<string, string>> = FILES) {
  const cwd = temporaryFolder(files);
  const cache = cacheFolder();
  const registry = await servePackages(WHEELS);
  vi.stubEnv("SKILLSET_CACHE_HOME", cache);
  vi.stubEnv("PIP_INDEX_URL", registry.addresses.pythonIndex);
  const run = (argv: readonly string[], world: Partial<World> = {}) =>
    runCaptured(["run", "./tea", ...argv], { cwd, ...world });
  return { run, registry, cache };
}

test.skipIf(!hasSandbox)("--prepare installs the packages and runs the script, which then finds them", async () => {
  const { run } = await open();
  const before = await run(["hello", "--yes"]);
  expect(before.code).toBe(1);
  expect(before.stderr).toContain(
    "The packages that skill 'tea' declares are not installed. The operator can install them: add --prepare to 'skillset run', or call 'session.scripts.prepare'.",
  );
  const { code, stdout, stderr } = await run(["hello", "--prepare", "--yes"]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: "hello\n" });
  expect(stderr).toContain("Successfully installed words-2.1");
  expect(stderr).toMatch(/Installed 1 package for 'tea' after \d+ ms \(sandbox: bubblewrap\)\./);
  expect((await run(["--prepare"])).stderr).toBe("The packages of 'tea' are installed.\n");
  expect((await run(["hello", "--yes"])).stdout).toBe("hello\n");
});

test.skipIf(!hasSandbox)(
  "the question names the packages and the registry, and no leaves everything as it is",
  async () => {
    const { run, registry, cache } = await open();
    const { code, stderr } = await run(["--prepare"], { answer: "n\n" });
    expect(code).toBe(125);
    expect(stderr).toContain(`with pip from ${registry.addresses.pythonIndex}, and what they depend on:`);
    expect(stderr).toContain("           words>=2\n");
    expect(stderr).toContain("Install them? [y/N] ");
    expect(stderr).toContain("Nothing was installed. You did not allow the packages of skill 'tea'.");
    expect(registry.requests).toEqual([]);
    expect(readdirSync(cache)).toEqual([]);
  },
);

test.skipIf(!hasSandbox)("without a terminal, --prepare needs --yes", async () => {
  const { run } = await open();
  const { code, stderr } = await run(["--prepare"]);
  expect(code).toBe(125);
  expect(stderr).toContain("need consent, and there is no terminal to ask. Add --yes to allow them.");
});

test.skipIf(!hasSandbox)("the list shows packages, and whether they are installed", async () => {
  const { run } = await open();
  expect((await run([])).stdout).toContain(
    "Packages in requirements.txt: not installed; to install them, run: skillset run ./tea --prepare\n  pip  words>=2\n",
  );
  const prepared = JSON.parse((await run(["--prepare", "--yes", "--json"])).stdout);
  expect(prepared).toMatchObject({ outcome: "installed", declared: { python: ["words>=2"] } });
  expect((await run([])).stdout).toContain("Packages in requirements.txt: installed\n");
  expect(JSON.parse((await run(["--json"])).stdout)).toMatchObject({ packages: { state: "installed", npm: [] } });
});

test("the command that installs packages has the folder as it was given, quoted if necessary", async () => {
  vi.stubEnv("SKILLSET_CACHE_HOME", cacheFolder());
  const files = Object.fromEntries(Object.entries(FILES).map(([path, text]) => [`my skills/${path}`, text]));
  const world = { cwd: temporaryFolder(files) };
  for (const given of ["my skills/tea", join(world.cwd, "my skills/tea")]) {
    const { stdout } = await runCaptured(["run", given, "--runner", "subprocess"], world);
    expect(stdout).toContain(`to install them, run: skillset run '${given}' --prepare\n`);
  }
});

test("declarations that are refused are listed with their lines", async () => {
  const { run } = await open({ ...FILES, "tea/requirements.txt": "words\n--index-url https://example.com\n" });
  expect((await run(["--runner", "subprocess"])).stdout).toContain(
    'Packages cannot be installed:\n  requirements.txt, line 2: options are not allowed: "--index-url https://example.com".',
  );
  const { code, stderr } = await run(["--prepare", "--yes", "--runner", "subprocess"]);
  expect(code).toBe(125);
  expect(stderr).toMatch(/^Nothing was installed\. requirements\.txt, line 2: options are not allowed/);
});

test("a skill without packages needs none", async () => {
  const { run } = await open({ ...FILES, "tea/requirements.txt": "# nothing\n" });
  const { code, stderr } = await run(["--prepare", "--runner", "subprocess"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "Skill 'tea' declares no packages.\n" });
});

test.skipIf(!hasSandbox)(
  "a skill whose required packages it declares is available once they are prepared",
  async () => {
    const skill = (fields: string): string => skillMd("tea", "Makes tea.", "", fields);
    const required = skill("metadata:\n  packages: pip:words>=2\n");
    const { run } = await open({ ...FILES, "tea/SKILL.md": required });
    const before = await run(["hello", "--yes"]);
    expect(before.code).toBe(125);
    expect(before.stderr).toContain("the Python package 'words' is not installed");
    expect(before.stderr).toContain("add --prepare to 'skillset run'");
    expect(await run(["hello", "--prepare", "--yes"])).toMatchObject({ code: 0, stdout: "hello\n" });
    expect(await run(["hello", "--yes"])).toMatchObject({ code: 0, stdout: "hello\n" });
  },
);

test.skipIf(!hasSandbox)("a skill whose prepared packages are too old for it stays unavailable", async () => {
  const required = skillMd("tea", "Makes tea.", "", "metadata:\n  packages: pip:words>=3\n");
  const { run } = await open({ ...FILES, "tea/SKILL.md": required });
  expect((await run(["--prepare", "--yes"])).code).toBe(0);
  const { code, stderr } = await run(["hello", "--yes"]);
  expect(code).toBe(125);
  expect(stderr).toContain("it requires words>=3, and 2.1 is installed");
});

test.skipIf(!hasSandbox)("a script that is too large to be searched for packages is named", async () => {
  const { run } = await open({ ...FILES, "tea/scripts/large.py": `#${"x".repeat(1_000_000)}\n` });
  const line =
    "Not searched for packages: scripts/large.py. At most 200 files are searched, and scripts of at most 1 MB.\n";
  expect((await run([])).stdout).toContain(line);
  expect((await run(["--prepare", "--yes"])).stderr).toContain(line);
});
