import { expect, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../../../test/temporary-folder.ts";
import { runCaptured, type World } from "../../run-captured.ts";

const CANARY = "canary-7f3a9Q-secret";
const FILES = {
  "ocr/SKILL.md": skillMd("ocr", "Reads text.", "", "metadata:\n  env: OCR_TOKEN\n"),
  "ocr/scripts/read.sh": 'echo "$OCR_TOKEN is $(printf %s "$OCR_TOKEN" | wc -c | tr -d " ")"\n',
  "tea/SKILL.md": skillMd("tea", "Makes tea."),
  "tea/scripts/brew.sh": "echo brew\n",
};
const env = { OCR_TOKEN: CANARY, OTHER: "another-secret", NO_COLOR: "1" };

function run(argv: readonly string[], world: Partial<World> = {}) {
  const cwd = temporaryFolder(FILES);
  return runCaptured(["run", ...argv, "--runner", "subprocess"], { cwd, env, ...world });
}

test("--env passes a variable to the script, and only its name is shown", async () => {
  const { code, stdout, stderr } = await run(["./ocr", "read", "--yes", "--env", "OCR_TOKEN"]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: "[OCR_TOKEN] is 20\n" });
  expect(stderr).not.toContain(CANARY);
  const { stdout: json } = await run(["./ocr", "read", "--yes", "--env=OCR_TOKEN", "--json"]);
  expect(JSON.parse(json)).toMatchObject({ stdout: "[OCR_TOKEN] is 20\n" });
});

test("without --env, the script does not get the variable, and a note says how", async () => {
  const { code, stdout, stderr } = await run(["./ocr", "read", "--yes"]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: " is 0\n" });
  expect(stderr).toContain(
    "The skill requires OCR_TOKEN, which its scripts do not get. To pass it on, add: --env OCR_TOKEN\n",
  );
  expect((await run(["./ocr", "read", "--yes", "--json"])).stderr).toBe("");
});

test("the question names the variables", async () => {
  const { stdout, stderr } = await run(["./ocr", "read", "--env", "OCR_TOKEN"], { answer: "y\n" });
  expect(stdout).toBe("[OCR_TOKEN] is 20\n");
  expect(stderr).toContain("Gets     OCR_TOKEN\nSandbox ");
});

test("a value on the command line is refused, and not repeated", async () => {
  const { code, stdout, stderr } = await run(["./ocr", "read", "--yes", "--env", `OCR_TOKEN=${CANARY}`]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(/^'--env' takes a name: others can see a value .* write '--env OCR_TOKEN'\./);
  expect(stderr).not.toContain(CANARY);
});

test.each([
  ["./ocr", "NOT_SET", 2, "'--env NOT_SET': the variable is not set."],
  ["./tea", "OTHER", 125, "Skill 'tea' does not require the variable 'OTHER'."],
])("the skill %s does not get %s", async (skill, name, code, sentence) => {
  const result = await run([skill, skill === "./tea" ? "brew" : "read", "--yes", "--env", name]);
  expect(result).toMatchObject({ code, stdout: "", stderr: expect.stringContaining(sentence) });
});

test.each(["serve", "try", "acp"])("%s refuses a value, and variables without scripts", async (command) => {
  const more = command === "acp" ? ["agent"] : ["./ocr"];
  const world = { cwd: temporaryFolder(FILES), env };
  const scripts = ["--scripts", "subprocess"];
  const value = await runCaptured([command, "--env", `OCR_TOKEN=${CANARY}`, ...scripts, ...more], world);
  expect(value).toMatchObject({ code: 2, stderr: expect.stringContaining("'--env' takes a name") });
  expect(value.stderr).not.toContain(CANARY);
  const none = await runCaptured([command, "--env", "OCR_TOKEN", ...more], world);
  expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining("'--env' needs '--scripts'.") });
});

test("try passes variables to the scripts of its session", async () => {
  const world = { cwd: temporaryFolder(FILES), env, answer: "run ocr scripts/read.sh\n", isTTY: false };
  const argv = ["try", "./ocr", "--scripts", "subprocess", "--yes", "--env", "OCR_TOKEN"];
  const { code, stdout } = await runCaptured(argv, world);
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("[OCR_TOKEN] is 20") });
});
