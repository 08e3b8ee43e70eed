import { expect, test } from "vitest";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { runCaptured } from "./run-captured.ts";

const ADDRESS = "https://github.com/a/b";

const COMMANDS = [
  ["list", ADDRESS],
  ["search", "tea", ADDRESS],
  ["show", "tea", ADDRESS],
  ["validate", ADDRESS],
  ["doctor", ADDRESS],
  ["prompt", ADDRESS],
  ["try", ADDRESS],
  ["install", ADDRESS, "--agent", "claude"],
  ["exec", "--agent", "claude", "--skill", ADDRESS, "--", "claude"],
  ["think", "--agent", "claude", "--skill", ADDRESS, "Hi."],
  ["acp", "--skill", ADDRESS, "--", process.execPath],
  ["serve", ADDRESS],
  ["serve", ADDRESS, "--print-config", "claude"],
  ["serve", ADDRESS, "--print-config", "codex"],
];

test.each(COMMANDS.map((argv) => [argv.join(" "), argv] as const))("skillset %s refuses it", async (_, argv) => {
  const { code, stdout, stderr } = await runCaptured(argv, { cwd: temporaryFolder({}) });
  expect({ code, stdout, stderr }).toEqual({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining(`'${ADDRESS}' is not a path or a file: URL. Clone a repository first.`),
  });
});
