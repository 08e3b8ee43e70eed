import { chmodSync, existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { temporaryFolder, writeFiles } from "../../../../../test/temporary-folder.ts";
import { onPath } from "./find-interpreter.ts";
import { findPythonHome } from "./python-home.ts";

const [python = ""] = onPath("python3");

test.skipIf(python === "")("modules in the working directory do not run", async () => {
  const canary = join(temporaryFolder(), "canary");
  const code = `open(${JSON.stringify(canary)}, "w").write("ran")\n`;
  const before = process.cwd();
  process.chdir(temporaryFolder({ "json.py": code, "sysconfig.py": code, "encodings.py": code }));
  onTestFinished(() => process.chdir(before));
  expect(await findPythonHome(python)).toMatchObject({ version: expect.stringMatching(/^3\./) });
  expect(existsSync(canary)).toBe(false);
});

/** Creates a home with a program that says it is the Python of a prefix in it. */
function fakePython(prefix: string) {
  const home = temporaryFolder({ ".ssh/id_ed25519": "key" });
  const root = join(home, prefix);
  writeFiles(root, {
    "bin/python3": `#!/bin/sh\nprintf '%s\\n' '${join(root, "bin/python3")}' '${root}' 3.13.0\n`,
  });
  chmodSync(join(root, "bin/python3"), 0o755);
  vi.stubEnv("HOME", home);
  return { home, root, program: join(root, "bin/python3") };
}

const isWindows = process.platform === "win32";

test.skipIf(isWindows).each([".pyenv/versions/3.13.0", "miniconda3", ".local/share/uv/python/cpython-3.13"])(
  "a Python in ~/%s can be used",
  async (prefix) => {
    const { root, program } = fakePython(prefix);
    expect(await findPythonHome(program)).toEqual({ root, program: "bin/python3", version: "3.13.0\n" });
  },
);

test.skipIf(isWindows).each([".", "..", ".local", ".local/share"])(
  "a Python whose folder is ~/%s is not used, because scripts could read what else is in it",
  async (prefix) => {
    const { home, root, program } = fakePython(".local/share");
    const shared = join(home, prefix);
    writeFiles(root, {
      "bin/python3": `#!/bin/sh\nprintf '%s\\n' '${program}' '${shared}' 3.13.0\n`,
    });
    expect(await findPythonHome(program)).toBeUndefined();
    const link = join(temporaryFolder(), "home");
    symlinkSync(home, link);
    vi.stubEnv("HOME", link);
    expect(await findPythonHome(program)).toBeUndefined();
  },
);

test.skipIf(isWindows).each(["/", "/opt", "/var", "/home"])("a Python whose folder is %s is not used", async (root) => {
  const { program } = fakePython("python");
  const executable = existsSync(root) ? root : "/";
  writeFiles(join(program, ".."), { python3: `#!/bin/sh\nprintf '%s\\n' '${executable}' '${root}' 3.13.0\n` });
  expect(await findPythonHome(program)).toBeUndefined();
});
