import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { temporaryFolder } from "../../../../../test/temporary-folder.ts";
import type { ScriptJob } from "../../core/script/script.ts";
import { refuseFailures } from "../process/refuse-failures.ts";
import { subprocess } from "./subprocess.ts";

function job(): ScriptJob {
  const folder = temporaryFolder({ "skill/a.sh": "echo ran\n" });
  mkdirSync(join(folder, "output"));
  return {
    skillFolder: join(folder, "skill"),
    outputFolder: join(folder, "output"),
    script: "a.sh",
    args: [],
    limits: { time: 20_000, output: 10_000, memory: 2 ** 29, processes: 64, files: 1_000_000 },
    signal: new AbortController().signal,
    onOutput: () => {},
  };
}

test("a folder for temporary files that does not exist is a refusal without its path", async () => {
  const runner = subprocess();
  const given = job();
  vi.stubEnv("TMPDIR", "/no-such-folder");
  const end = await runner.run(given);
  vi.unstubAllEnvs();
  expect(end).toEqual({
    outcome: "refused",
    reason: "The runner cannot be used: its temporary files cannot be written or read (ENOENT).",
  });
  expect(await runner.run(given)).toMatchObject({ outcome: "exited", stdout: "ran\n" });
});

test.each([
  [
    Object.assign(new Error("ENOSPC: no space left on device, write '/var/secret'"), { code: "ENOSPC" }),
    "no space is left on this machine",
  ],
  [new Error("'/var/secret' is broken"), "it failed"],
  ["/var/secret", "it failed"],
])("a runner that throws %s refuses the script", async (error, reason) => {
  const run = refuseFailures(async () => {
    throw error;
  });
  expect(await run(job())).toEqual({ outcome: "refused", reason: `The runner cannot be used: ${reason}.` });
  expect(await run({ ...job(), signal: AbortSignal.abort() })).toMatchObject({ outcome: "aborted" });
});
