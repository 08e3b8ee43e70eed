import { expect, test } from "vitest";
import { describeScript } from "./describe-script.ts";
import type { ToolPart } from "./describe-tool.ts";

const INPUT = { name: "tea", script: "scripts/brew.sh" };
const call = (part: object) =>
  ({ type: "tool-skills_run_script", toolCallId: "1", input: INPUT, ...part }) as unknown as ToolPart;
const result = (data: object) =>
  call({ state: "output-available", output: { isError: false, text: "", data: { stdout: "", stderr: "", ...data } } });
const refusal = { isError: true, text: "consent was denied", code: "script-refused" };
const denied = { skill: "tea", field: "allowed-tools", token: "Bash" };

test.each<readonly [verb: string, what: string, part: ToolPart, expected: object]>([
  ["Running", "runs", call({ state: "input-available" }), { state: "running" }],
  ["Ran", "succeeded", result({ outcome: "exited", exitCode: 0 }), { state: "done", word: "exit 0" }],
  ["Ran", "failed", result({ outcome: "exited", exitCode: 3 }), { state: "failed", word: "exit 3" }],
  ["Ran", "took too long", result({ outcome: "timed-out" }), { state: "failed", word: "time limit" }],
  [
    "Did not run",
    "was refused",
    call({ state: "output-available", output: refusal }),
    { state: "failed", word: "refused", reason: "consent was denied" },
  ],
  [
    "Did not run",
    "was called with invalid input",
    call({ state: "output-error", errorText: "No such script." }),
    { state: "failed", word: "refused", reason: "No such script." },
  ],
  [
    "May not run",
    "is not allowed",
    call({ state: "output-available", output: { ...refusal, denied } }),
    { state: "denied", word: "not allowed" },
  ],
])("the verb is '%s' for a script that %s", (verb, _what, part, expected) => {
  expect(describeScript(part, false)).toMatchObject({ verb, script: "scripts/brew.sh", skill: "tea", ...expected });
});

test("the verb is 'Stopped' for a script whose answer ended before it finished", () => {
  expect(describeScript(call({ state: "input-available" }), true)).toMatchObject({
    verb: "Stopped",
    state: "failed",
    word: "stopped",
    reason: "The answer ended before this script finished.",
  });
});
