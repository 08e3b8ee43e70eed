import { expect, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../../test/temporary-folder.ts";
import { runCaptured, type World } from "../run-captured.ts";

const FILES = { "tea/SKILL.md": skillMd("tea", "Makes tea."), "tea/scripts/brew.sh": "echo brewing\n" };

function ask(world: Omit<World, "cwd">, ...more: readonly string[]) {
  const argv = ["run", "./tea", "brew", "--runner", "subprocess", ...more];
  return runCaptured(argv, { cwd: temporaryFolder(FILES), env: { NO_COLOR: "1" }, ...world });
}

test("shows the skill, its digest, the script, the input and the sandbox, and runs after yes", async () => {
  const { code, stdout, stderr } = await ask({ answer: "y\n" }, "--input", '"x"', "--", "green", "a b\u001b");
  expect({ code, stdout }).toEqual({ code: 0, stdout: "brewing\n" });
  const [skill, script, input, sandbox, question] = stderr.split("\n");
  expect(skill).toMatch(/^Skill {4}tea sha256:[0-9a-f]{12}$/);
  expect(script).toBe('Script   scripts/brew.sh "green" "a b\\u001b"');
  expect(input).toBe('Input    "x"');
  expect(sandbox).toBe("Sandbox  no sandbox. The script can do everything that you can do.");
  expect(question).toMatch(/^Run it\? \[y\/N\] /);
});

test.each(["n\n", "\n", ""])("the answer %j denies, and nothing runs", async (answer) => {
  const { code, stdout, stderr } = await ask({ answer, isTTY: true });
  expect({ code, stdout }).toEqual({ code: 125, stdout: "" });
  expect(stderr).toContain("did not run. You did not allow the scripts of skill 'tea'.");
});

test("without a terminal it denies, and names the option that allows it", async () => {
  const { code, stdout, stderr } = await ask({});
  expect({ code, stdout }).toEqual({ code: 125, stdout: "" });
  expect(stderr).toContain("Add --yes to allow them.");
  expect(JSON.parse((await ask({}, "--json")).stdout)).toMatchObject({
    outcome: "refused",
    reason: expect.stringContaining("--yes"),
  });
});
