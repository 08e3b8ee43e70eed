import { chmodSync, existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { temporaryFolder, writeFiles } from "../../../../../../test/temporary-folder.ts";
import { removeOwnedFolder } from "../../../node/copy/owned-folder.ts";
import { onPath } from "../../process/find-interpreter.ts";
import { bubblewrap } from "../bubblewrap.ts";
import { Sandbox } from "./sandbox.ts";
import { findSandboxInterpreter } from "./sandbox-interpreter.ts";

const [program = ""] = onPath("bwrap");
const hasSandbox = (await bubblewrap().check()) === undefined;
const DISTRIBUTION = "/usr/lib/python3/dist-packages";
/** A package of the distribution that is not part of Python. */
const [known] = ["yaml", "apt", "apt_pkg", "distro", "six", "pip"].filter((name) =>
  existsSync(join(DISTRIBUTION, name)),
);

/** Runs code with the Python that scripts would run with, and returns what it prints. */
async function runPython(code: string): Promise<string> {
  const sandbox = new Sandbox(program);
  const python = await findSandboxInterpreter(sandbox, "python");
  const folder = sandbox.makeFolder();
  const end = await sandbox.run({
    skillFolder: folder,
    outputFolder: folder,
    command: [python?.program ?? "", "-c", code],
    mounts: python?.mounts ?? {},
    limits: { time: 20_000, output: 10_000, memory: 2 ** 29, processes: 64, files: 1_000_000 },
    signal: new AbortController().signal,
    onOutput: () => {},
  });
  removeOwnedFolder(folder);
  return "stdout" in end ? end.stdout + end.stderr : end.reason;
}

const IMPORT = `import ${known}; print(${known}.__file__)`;

test.skipIf(!hasSandbox || known === undefined)("scripts see the Python packages of the distribution", async () => {
  vi.stubEnv("PATH", "/usr/bin:/bin");
  expect(await runPython(IMPORT)).toMatch(new RegExp(`^${DISTRIBUTION}/${known}/__init__\\.py\n$`));
});

test.skipIf(!hasSandbox || known === undefined)(
  "also if python3 on the PATH is a script that starts it, as that of pyenv",
  async () => {
    startPythonByScript();
    expect(await runPython(IMPORT)).toMatch(new RegExp(`dist-packages/${known}/__init__\\.py\n$`));
  },
);

test.skipIf(!hasSandbox || !existsSync("/usr/bin/python3"))(
  "packages are installed for the Python that such a script starts",
  async () => {
    startPythonByScript();
    const python = await findSandboxInterpreter(new Sandbox(program), "python");
    expect(python?.hostProgram).toBe(realpathSync("/usr/bin/python3"));
  },
);

function startPythonByScript(): void {
  const bin = temporaryFolder();
  writeFiles(bin, { python3: '#!/bin/sh\nexec /usr/bin/python3 "$@"\n' });
  chmodSync(join(bin, "python3"), 0o755);
  vi.stubEnv("PATH", `${bin}:/usr/bin:/bin`);
}
