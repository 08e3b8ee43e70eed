import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { endWithTest } from "../../../../../../test/processes.ts";
import { skillMd, temporaryFolder } from "../../../../../../test/temporary-folder.ts";

const MAIN = fileURLToPath(new URL("../../main.ts", import.meta.url));
const PROGRAM = `import { main } from ${JSON.stringify(MAIN)}; process.exitCode = await main(process.argv.slice(1));`;

test("SIGINT ends 'skillset validate --watch' with 0 and without an error", async () => {
  const cwd = temporaryFolder({ "s/a/SKILL.md": skillMd("a") });
  const child = spawn(process.execPath, ["--input-type=module", "-e", PROGRAM, "validate", "s", "--watch"], { cwd });
  endWithTest(child);
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
  });
  await new Promise<void>((resolve) => {
    child.stderr.on("data", (chunk) => {
      stderr += chunk;
      if (stderr.includes("Waiting")) resolve();
    });
  });
  child.kill("SIGINT");
  expect(await once(child, "close")).toEqual([0, null]);
  expect(stderr).toBe("Waiting for changes. Ctrl-C ends it.\n");
  expect(stdout).toContain("1 valid skill.\n");
});
