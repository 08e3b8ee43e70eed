import { describe, expect, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../../../test/temporary-folder.ts";
import { createOperations } from "../../../core/in-session.ts";
import { createSkillset } from "../../../node/load/create-skillset.ts";
import { runCaptured, type World } from "../../run-captured.ts";

const FILES = {
  "s/forms/SKILL.md": skillMd("forms", "Fills forms.", "# Forms\n\nFill in: $ARGUMENTS\n"),
  "s/forms/references/fields.md": "Fields\n\ttabbed, and without an end",
  "s/forms/empty.txt": "",
  "s/forms/logo.png": new Uint8Array([0x89, 0x50, 0, 1]),
  "s/private/SKILL.md":
    "---\nname: private\ndescription: For people.\ndisable-model-invocation: true\n---\n\n# Private\n",
  "s/private/notes.md": "Notes.\n",
  "s/broken/SKILL.md": "no frontmatter\n",
};

async function show(argv: readonly string[], world: Partial<World> = {}) {
  const cwd = temporaryFolder(FILES);
  return { cwd, ...(await runCaptured(["show", ...argv], { cwd, ...world })) };
}

/** The result of an operation, as a model gets it. */
async function given(cwd: string, name: string, input: object): Promise<string> {
  const session = await (await createSkillset("s", { cwd })).session();
  const operation = createOperations(session).find((one) => one.name === name);
  return (await operation?.execute(input))?.text ?? "no operation";
}

describe("skillset show NAME", () => {
  test("prints what activate_skill returns to a model, and nothing else", async () => {
    const { cwd, code, stdout, stderr } = await show(["forms", "s"]);
    const text = await given(cwd, "activate_skill", { name: "forms" });
    expect(text).toMatch(/^<skill_content name="forms">\n# Forms/);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `${text}\n`, stderr: "" });
    expect(stdout).not.toContain(cwd);
  });

  test("prints the hint and the triggers for people on stderr, and only the instructions on stdout", async () => {
    const lines = 'argument-hint: "[kind]"\ntriggers: { keywords: [tea, green tea], patterns: ["brew\\\\s+it"] }';
    const text = `---\nname: tea\ndescription: Makes tea.\n${lines}\n---\nBoil water.`;
    const cwd = temporaryFolder({ "s/tea/SKILL.md": text });
    const { stdout, stderr } = await runCaptured(["show", "tea", "s"], { cwd });
    expect(stderr).toBe("Arguments: [kind]\nTrigger keywords: tea, green tea\nTrigger patterns: brew\\s+it\n");
    expect(stdout).toMatch(/^<skill_content name="tea">\nBoil water\.\n/);
  });

  test("--arguments replaces $ARGUMENTS with plain text", async () => {
    const { stdout } = await show(["forms", "s", "--arguments", "$& `id` now"]);
    expect(stdout).toContain("Fill in: $& `id` now\n");
  });

  test("--json prints the structured activation", async () => {
    const { stdout } = await show(["forms", "s", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      name: "forms",
      frontmatter: { name: "forms", description: "Fills forms." },
      body: expect.stringContaining("# Forms"),
      truncated: false,
      files: ["empty.txt", "logo.png", "references/fields.md"],
      text: expect.stringContaining("<skill_content"),
    });
  });

  test("searches the standard folders without a path, and the bundled skills with --bundled", async () => {
    expect((await show(["code-review"])).stderr).toContain("Unknown skill 'code-review'");
    const { code, stdout } = await show(["code-review", "--bundled"]);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringContaining('<skill_content name="code-review">'),
    });
  });

  test("shows a skill that only users can invoke, and its files", async () => {
    expect((await show(["private", "s"])).stdout).toContain("# Private");
    expect((await show(["private", "s", "--file", "notes.md"])).stdout).toBe("Notes.\n");
  });
});

describe("skillset show NAME --file", () => {
  test("prints what read_skill_file returns to a model, and ends the last line", async () => {
    const path = "references/fields.md";
    const { cwd, code, stdout, stderr } = await show(["forms", "s", "--file", path]);
    const text = await given(cwd, "read_skill_file", { skill: "forms", path });
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `${text}\n`, stderr: "" });
    expect((await show(["forms", "s", "--file", "empty.txt"])).stdout).toBe("");
    expect((await show(["forms", "s", "--file", "SKILL.md"])).stdout).toBe(FILES["s/forms/SKILL.md"]);
  });

  test("--json prints the structured result", async () => {
    const { stdout } = await show(["forms", "s", "--file", "references/fields.md", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ skill: "forms", content: FILES["s/forms/references/fields.md"] });
  });

  test.each([
    ["../private/notes.md", "Path traversal is not allowed"],
    ["/etc/passwd", "Path must be relative"],
    ["C:\\secret", "Path must be relative"],
    ["missing.md", "does not exist"],
    ["references", "is not a file"],
    ["logo.png", "binary"],
  ])("%s is refused with the error that a model gets, and exit code 1", async (path, part) => {
    const { cwd, ...result } = await show(["forms", "s", "--file", path]);
    const sentence = await given(cwd, "read_skill_file", { skill: "forms", path });
    expect(sentence).toContain(part);
    expect(result).toEqual({ code: 1, stdout: "", stderr: `${sentence}\n` });
  });
});

describe("a skill that is not available", () => {
  test("an unknown name prints the error that a model gets, with exit code 1", async () => {
    const { cwd, ...result } = await show(["fromz", "s"]);
    const sentence = await given(cwd, "activate_skill", { name: "fromz" });
    expect(sentence).toBe("Unknown skill 'fromz'. Available: forms.");
    expect(result).toEqual({ code: 1, stdout: "", stderr: `${sentence}\n` });
  });

  test("an invalid or locked skill is unknown to a model, and the user sees why", async () => {
    expect((await show(["broken", "s"])).stderr).toBe(
      "Unknown skill 'broken'. Available: forms. 'broken' exists, but is invalid: The file does not start with a '---' line.\n",
    );
    const cwd = temporaryFolder({ ".agents/skills/release/SKILL.md": skillMd("release"), ".git/HEAD": "" });
    const { code, stderr } = await runCaptured(["show", "release"], { cwd });
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("'release' exists, but is locked: ") });
  });

  test.each([
    [["show"], "'skillset show' needs a skill's name, as in 'skillset show pdf-forms'."],
    [
      ["show", "a", "--file", "b", "--arguments", "c"],
      "'--arguments' applies to the instructions, so it cannot be used with '--file'.",
    ],
  ])("%j is a usage error", async (argv, sentence) => {
    const result = await runCaptured(argv, { cwd: temporaryFolder() });
    expect(result).toEqual({ code: 2, stdout: "", stderr: `${sentence}\n` });
  });
});

describe("a terminal", () => {
  const hidden = "a\u001b]0;title\u0007b\u202ec\u{e0041}d\re\r\nf 👩‍🚀\n";

  test("is not controlled or deceived by a skill's files", async () => {
    const cwd = temporaryFolder({ "s/a/SKILL.md": skillMd("a"), "s/a/x.txt": hidden });
    const { stdout } = await runCaptured(["show", "a", "s", "--file", "x.txt"], { cwd, isTTY: true });
    expect(stdout).toBe("a\\u{1b}]0;title\\u{7}b\\u{202e}c\\u{e0041}d\\u{d}e\r\nf 👩‍🚀\n");
  });

  test("a pipe gets the text unchanged", async () => {
    const cwd = temporaryFolder({ "s/a/SKILL.md": skillMd("a"), "s/a/x.txt": hidden });
    expect((await runCaptured(["show", "a", "s", "--file", "x.txt"], { cwd })).stdout).toBe(hidden);
  });
});
