import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { get } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import { buildTarball, buildWheel } from "../../../../../../test/packages/archives.ts";
import { cacheFolder } from "../../../../../../test/packages/cache-folder.ts";
import { servePackages } from "../../../../../../test/packages/package-registry.ts";
import { INSTALL_CANARY } from "../../../../../../test/packages/watched-runner.ts";
import { temporaryFolder } from "../../../../../../test/temporary-folder.ts";
import type { PrepareJob } from "../../../core/script/script.ts";
import { PROXY_SOCKET, RUN_PIP } from "../../packages/installer-programs.ts";
import { onPath } from "../../process/find-interpreter.ts";
import { bubblewrap } from "../bubblewrap.ts";
import { type Interpreters, installPackages } from "./install-packages.ts";
import { Sandbox, type SandboxJob } from "./sandbox.ts";
import { findSandboxInterpreter, type SandboxInterpreter } from "./sandbox-interpreter.ts";

const hasSandbox = (await bubblewrap().check()) === undefined;

function openSandbox(): { readonly sandbox: Sandbox; readonly interpreters: Interpreters } {
  const sandbox = new Sandbox(onPath("bwrap")[0] as string);
  return { sandbox, interpreters: { find: (language) => findSandboxInterpreter(sandbox, language) } };
}

function job(given: Partial<PrepareJob>): PrepareJob {
  const packagesFolder = join(cacheFolder(), "packages");
  mkdirSync(packagesFolder);
  const limits = { time: 60_000, output: 1_000_000, memory: 2 ** 30, processes: 128, files: 100_000_000 };
  const { signal } = new AbortController();
  const registries = { pythonIndex: "http://127.0.0.1:9/simple", npmRegistry: "http://127.0.0.1:9/" };
  return { ...registries, python: [], npm: [], packagesFolder, limits, signal, onOutput: () => {}, ...given };
}

function hasPip(python: string): boolean {
  try {
    return execFileSync(python, ["-m", "pip", "--version"], { encoding: "utf8", stdio: "pipe" }) !== "";
  } catch {
    return false;
  }
}

const SYSTEM: SandboxInterpreter = {
  program: "/usr/bin/python3",
  args: [],
  hostProgram: "/usr/bin/python3",
  mounts: {},
};

/** A source distribution whose build writes to `/output`. */
const SOURCE = buildTarball({
  "source-1.0/pyproject.toml":
    '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n[project]\nname = "source"\nversion = "1.0"\n',
  "source-1.0/backend.py": `open("/output/${INSTALL_CANARY}", "w").write("ran")\n`,
  "source-1.0/PKG-INFO": "Metadata-Version: 2.1\nName: source\nVersion: 1.0\n",
});

test.skipIf(!hasSandbox).for(["the first Python on the PATH", "the system's Python"])(
  "a source that a wheel names with its address is not built, with the pip of %s",
  async (which, { skip }) => {
    const { sandbox, interpreters } = openSandbox();
    const find = which === "the system's Python" ? async () => SYSTEM : interpreters.find;
    const python = await find("python");
    if (python === undefined || !hasPip(python.hostProgram)) return skip("this Python has no pip");
    const files: Record<string, Buffer> = { "source-1.0.tar.gz": SOURCE };
    const registry = await servePackages(files);
    const address = `${new URL(registry.addresses.pythonIndex).origin}/files/source-1.0.tar.gz`;
    files["trojan-1.0-py3-none-any.whl"] = buildWheel("trojan", "1.0", { "trojan.py": "" }, [`source @ ${address}`]);
    const given = job({ python: ["trojan"], pythonIndex: registry.addresses.pythonIndex });
    const end = await installPackages(sandbox, given, { find });
    expect(existsSync(join(given.packagesFolder, INSTALL_CANARY))).toBe(false);
    expect(end).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("a package without a wheel is not installed"),
    });
    expect(registry.requests).toContain("/files/source-1.0.tar.gz");
  },
);

test.skipIf(!hasSandbox)("npm starts no other program for a repository that a package depends on", async () => {
  const { sandbox, interpreters } = openSandbox();
  const manifest = { dependencies: { y: "git+file:///output/y.git" } };
  const { addresses } = await servePackages({}, { trojan: { version: "1.0.0", manifest, files: {} } });
  const given = job({ npm: ["trojan@^1.0.0"], npmRegistry: addresses.npmRegistry });
  expect(await installPackages(sandbox, given, interpreters)).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("a package that needs another program, such as git, is not installed"),
  });
});

test.skipIf(!hasSandbox)("the host does not follow a link that is left in the folder of the packages", async () => {
  const { sandbox, interpreters } = openSandbox();
  const victim = join(temporaryFolder({ "victim.json": "untouched" }), "victim.json");
  const { addresses } = await servePackages({}, { loud: { version: "2.0.1", files: { "index.js": "" } } });
  const given = job({ python: ["words"], npm: ["loud@^2.0.0"], npmRegistry: addresses.npmRegistry });
  let runs = 0;
  class Planting extends Sandbox {
    override async run(one: SandboxJob) {
      runs++;
      if (runs > 1) return sandbox.run(one);
      // The place of pip: code in this step could write these links.
      for (const name of ["package.json", "package-lock.json", "tmp"])
        symlinkSync(victim, join(given.packagesFolder, name));
      return { outcome: "exited" as const, exitCode: 0, command: [], stdout: "", stderr: "" };
    }
  }
  const planting = new Planting(onPath("bwrap")[0] as string);
  await installPackages(planting, given, interpreters);
  expect(runs).toBe(2);
  expect(readFileSync(victim, "utf8")).toBe("untouched");
});

test.skipIf(!hasSandbox)("the end of an installation says that its downloads are too large", async () => {
  const { interpreters } = openSandbox();
  const registry = await servePackages({ "words-2.1-py3-none-any.whl": Buffer.alloc(100_000) });
  const { pythonIndex } = registry.addresses;
  const given = job({ python: ["words"], pythonIndex });
  class Downloading extends Sandbox {
    override async run({ mounts }: SandboxJob) {
      const path = `${new URL(pythonIndex).origin}/files/words-2.1-py3-none-any.whl`;
      await new Promise<void>((resolve) => {
        const request = get({ socketPath: mounts[PROXY_SOCKET], path }, (response) => response.resume());
        request.on("error", () => {}).on("close", resolve);
      });
      return { outcome: "exited" as const, exitCode: 1, command: [], stdout: "", stderr: "ERROR: no\n" };
    }
  }
  const downloading = new Downloading(onPath("bwrap")[0] as string);
  const limits = { ...given.limits, files: 10_000 };
  const end = await installPackages(downloading, { ...given, limits }, interpreters);
  expect(end).toMatchObject({ stderr: "ERROR: no\nStopped, because the downloads exceed 0.00002 GB.\n" });
  expect(await installPackages(downloading, given, interpreters)).toMatchObject({ stderr: "ERROR: no\n" });
});

test.skipIf(onPath("python3").length === 0)(
  "the program around pip starts nothing but the loader of Alpine, without arguments",
  () => {
    const guard = RUN_PIP.slice(RUN_PIP.indexOf("STARTS ="), RUN_PIP.indexOf("os.makedirs"));
    const attempts = [
      'subprocess.run(["/lib/ld-musl-none.so.1"])',
      'subprocess.run(["/lib/ld-musl-none.so.1", "/bin/sh"])',
      'subprocess.run(["/lib/../bin/ld-musl-none.so.1"])',
      'subprocess.run("/lib/ld-musl-none.so.1", shell=True)',
      'subprocess.run(["true"])',
      'subprocess.run("true")',
      'subprocess.run("t", executable="/bin/true")',
      'subprocess.run(["/lib/ld-musl-none.so.1"], executable="/bin/true")',
      'os.system("true")',
      'os.execv("/bin/true", ["true"])',
      'os.posix_spawn("/bin/true", ["true"], {})',
      "os.fork()",
    ];
    const program = [
      "import os, re, subprocess, sys",
      guard,
      `for one in ${JSON.stringify(attempts)}:`,
      "    try: eval(one); print('started')",
      "    except Exception as error: print(type(error).__name__)",
    ].join("\n");
    const printed = execFileSync("python3", ["-I", "-c", program], { encoding: "utf8" }).trim().split("\n");
    expect(printed).toEqual(["FileNotFoundError", ...attempts.slice(1).map(() => "PermissionError")]);
  },
);
