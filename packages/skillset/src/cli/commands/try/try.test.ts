import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../../../test/temporary-folder.ts";
import { defineSkill } from "../../../core/skill/define-skill.ts";
import { createSkillset } from "../../../node/load/create-skillset.ts";
import { main } from "../../main.ts";
import { runCaptured, type World } from "../../run-captured.ts";
import { runLine } from "./try-commands.ts";
import { completeLine } from "./try-complete.ts";
import { TryConversation } from "./try-conversation.ts";

const FILES = {
  "s/forms/SKILL.md": skillMd("forms", "Fills forms.", "# Forms\n\nFill in: $ARGUMENTS"),
  "s/forms/references/the fields.md": "The fields.\n",
  "s/private/SKILL.md": "---\nname: private\ndescription: For people.\ndisable-model-invocation: true\n---\n\n# P",
  "s/shy/SKILL.md": "---\nname: shy\ndescription: For models.\nuser-invocable: false\n---\n\n# Shy",
};
const BODY = (words: string) =>
  `<skill_content name="forms">\n\n# Forms\n\nFill in: ${words}\n\n<skill_files>\n  <file>references/the fields.md</file>\n</skill_files>\n</skill_content>`;

/** Replays lines through the command, from a pipe. */
async function replay(lines: readonly string[], world: Partial<World> = {}) {
  const cwd = temporaryFolder(FILES);
  return runCaptured(["try", "s"], { cwd, answer: lines.join("\n"), isTTY: false, ...world });
}

/** The output of a single line, after its echo. */
async function reply(line: string, ...before: readonly string[]): Promise<string> {
  const { stdout } = await replay([...before, line]);
  return stdout.slice(stdout.lastIndexOf(`> ${line}\n`) + line.length + 3).replace(/\n$/, "");
}

async function converse(): Promise<TryConversation> {
  const cwd = temporaryFolder(FILES);
  return new TryConversation(await (await createSkillset("s", { cwd })).session(), new AbortController().signal);
}

describe("a line of skillset try", () => {
  test("list shows the skills, the active ones with a star", async () => {
    expect(await reply("list", "activate forms")).toBe(
      "* forms    Fills forms.\n  private  For people. (only users can invoke it)\n  shy      For models.",
    );
  });

  test("prompt shows the system prompt, which does not change", async () => {
    expect(await reply("prompt")).toMatch(/^<available_skills>[\s\S]+`activate_skill`/);
    expect(await reply("prompt", "activate forms")).toBe(await reply("prompt"));
  });

  test("activate returns the instructions once, and again after deactivate", async () => {
    expect(await reply("activate forms")).toContain("Fill in: $ARGUMENTS");
    expect(await reply("activate forms", "activate forms")).toContain("already active");
    expect(await reply("activate forms", "activate forms", "deactivate forms")).toContain("Fill in: $ARGUMENTS");
  });

  test("/NAME WORDS returns the instructions with the words, and then the message", async () => {
    const text = await reply("/forms the tax form");
    expect(text.replaceAll("\n\n", "\n")).toBe(`${BODY("the tax form").replaceAll("\n\n", "\n")}\nthe tax form`);
    expect(await reply("/private")).toMatch(/# P\s+<\/skill_content>$/);
  });

  test.each(["/nothing at all", "/shy", "/ forms"])("%s is a message like any other", async (line) => {
    const { code, stdout } = await replay([line]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/gets the message unchanged:\n/) });
    expect(stdout.endsWith(`:\n${line}\n`)).toBe(true);
  });

  test("read uses the rest of the line as the path", async () => {
    expect(await reply("read forms references/the fields.md")).toBe("The fields.");
  });

  test("files lists the files of a skill", async () => {
    expect(await reply("files forms")).toBe("SKILL.md\nreferences/the fields.md");
  });

  test("active lists the active skills, and deactivate removes one", async () => {
    expect(await reply("active")).toBe("No skill is active.");
    expect(await reply("active", "activate shy", "activate forms")).toBe("shy\nforms");
    expect(await reply("deactivate shy", "activate shy")).toBe("Skill 'shy' is no longer active.");
    expect(await reply("deactivate shy")).toBe("Skill 'shy' was not active.");
  });

  test("ledger shows the events without times", async () => {
    expect(await reply("ledger")).toBe("No events yet.");
    const text = await reply("ledger", "activate forms", "! read forms ../x");
    expect(text).toMatch(/^skills-offered .*\nskill-activated \{"skill":"forms","by":"model",/);
    expect(text).toMatch(/\noperation-failed \{"operation":"read","skill":"forms","code":"resource-outside-skill"\}$/);
    expect(text).not.toContain('"at"');
  });

  test("call calls the tools of skills that have tools", async () => {
    const shout = { name: "shout", description: "Shouts.", handler: (input: unknown) => String(input).toUpperCase() };
    const set = await createSkillset([
      defineSkill({ name: "voice", description: "Has a voice.", body: "# Voice", tools: [shout] }),
    ]);
    const conversation = new TryConversation(await set.session(), new AbortController().signal);
    expect(await runLine(conversation, 'call voice shout "hello you"')).toEqual({ outcome: "done", text: "HELLO YOU" });
    expect(await completeLine("call voice s", conversation.session)).toEqual([["shout "], "s"]);
  });

  test("search finds skills as a model does, if the prompt does not list all of them", async () => {
    expect(await reply("search a form")).toBe(
      "The prompt lists every skill, so a model has no search. Run 'skillset search' for yours.",
    );
    const many = Array.from({ length: 300 }, (_, index) =>
      defineSkill({ name: `shelf-${index}`, description: `Knows shelf ${index}.`, body: "x" }),
    );
    const tea = defineSkill({ name: "tea", description: "Brews tea.", body: "x" });
    const set = await createSkillset([...many, tea], { catalog: { budget: { tokens: 50 } } });
    const conversation = new TryConversation(await set.session(), new AbortController().signal);
    const text = "- **tea**: Brews tea. (matches: tea)";
    expect(await runLine(conversation, "search some tea")).toEqual({ outcome: "done", text });
    expect(await runLine(conversation, "search")).toEqual({ outcome: "failed", text: "Usage: search WORDS" });
    expect(await completeLine("search t", conversation.session)).toEqual([[], "t"]);
  });

  test("help lists every command", async () => {
    const text = await reply("help");
    for (const name of ["list", "prompt", "activate NAME", "/NAME WORDS", "read NAME PATH", "files NAME", "ledger"])
      expect(text).toMatch(new RegExp(`^${name} +\\w`, "m"));
  });
});

describe("a line that fails", () => {
  test.each([
    ["activate fromz", "Unknown skill 'fromz'. Available: forms, shy."],
    ["activate private", "Unknown skill 'private'. Available: forms, shy."],
    ["files fromz", "Unknown skill 'fromz'. Available: forms, shy."],
    ["read forms ../x", "Path traversal is not allowed."],
    ["call forms fill {}", "Skill 'forms' has no tools, so 'fill' cannot be called."],
    ["call forms fill {", /^The input is not JSON: /],
    ["call forms fill", "Usage: call NAME TOOL JSON"],
    ["activate", "Usage: activate NAME"],
    ["list all", "Usage: list"],
    ["actvate forms", "Unknown command 'actvate'; did you mean 'activate'?"],
    ["constructor", "Unknown command 'constructor'; see 'help'."],
    ["!", "Unknown command ''; see 'help'."],
  ])("%s", async (line, sentence) => {
    expect(await reply(line)).toEqual(typeof sentence === "string" ? sentence : expect.stringMatching(sentence));
  });

  test("does not end the session", async () => {
    const { code, stdout } = await replay(["! read forms /etc/passwd", "read forms references/the fields.md"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/The fields\.\n$/) });
  });

  test("reports that no skill is available to a model", async () => {
    const cwd = temporaryFolder({ "s/private/SKILL.md": FILES["s/private/SKILL.md"] });
    const { stdout } = await runCaptured(["try", "s"], { cwd, answer: "activate private\nprompt", isTTY: false });
    expect(stdout).toMatch(/^> activate private\nNo skill is available to a model, .*\n> prompt\nEmpty: /);
  });
});

describe("a script", () => {
  test("is echoed line by line, with comments and the output of each line", async () => {
    const { code, stdout, stderr } = await replay(["# First", "", "  active", "! activate x", "!activate y"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toBe(
      "> # First\n>   active\nNo skill is active.\n" +
        "> ! activate x\nUnknown skill 'x'. Available: forms, shy.\n" +
        "> !activate y\nUnknown skill 'y'. Available: forms, shy.\n",
    );
  });

  test("continues after a line that did not end as expected, reports it, and exits with 1", async () => {
    const { code, stdout, stderr } = await replay(["", "activate x", "! active", "! exit", "active"]);
    expect(code).toBe(1);
    expect(stderr).toBe(
      "stdin:2: error: This line failed.\nstdin:3: error: This line was expected to fail, but did not.\nstdin:4: error: This line was expected to fail, but did not.\n",
    );
    expect(stdout).toMatch(/> active\nNo skill is active\.\n$/);
  });

  test.each(["exit", "quit", "q"])("stops at %s", async (word) => {
    expect(await replay([word, "activate x"])).toEqual({ code: 0, stdout: `> ${word}\n`, stderr: "" });
  });

  test("is read from a file, whatever its line ends, even on a terminal", async () => {
    const cwd = temporaryFolder({ ...FILES, "session.txt": "active\r\n! activate x\r\nactivate y" });
    const { code, stdout, stderr } = await runCaptured(["try", "s", "--script", "session.txt"], { cwd, isTTY: true });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^> active\nNo skill is active\.\n> ! activate x\n/);
    expect(stderr).toContain("session.txt:3");
  });

  test("that does not exist is an error with exit code 1", async () => {
    const result = await runCaptured(["try", "s", "--script", "none.txt"], { cwd: temporaryFolder(FILES) });
    expect(result).toEqual({ code: 1, stdout: "", stderr: "The script 'none.txt' cannot be read (ENOENT).\n" });
  });

  test("from a pipe that stays open ends with Ctrl-C and exit code 130", async () => {
    const controller = new AbortController();
    const cwd = temporaryFolder(FILES);
    const stdin = Object.assign(new PassThrough(), { isTTY: false });
    const output = {
      write(_chunk: unknown, done: () => void) {
        done();
        controller.abort();
      },
    };
    stdin.write("active\n");
    const io = { cwd, home: cwd, env: {}, signal: controller.signal, stdin, stdout: output, stderr: output };
    expect(await main(["try", "s"], io)).toBe(130);
  });
});

test("exit closes a pipe that stays open", async () => {
  const stdin = Object.assign(new PassThrough(), { isTTY: false });
  const output = { write: (_chunk: unknown, done: () => void) => done() };
  const cwd = temporaryFolder(FILES);
  stdin.write("exit\nactivate x\n");
  const io = { cwd, home: cwd, env: {}, signal: new AbortController().signal, stdin, stdout: output, stderr: output };
  expect(await main(["try", "s"], io)).toBe(0);
  expect({ isPaused: stdin.isPaused(), listeners: stdin.listenerCount("data") }).toEqual({
    isPaused: true,
    listeners: 0,
  });
});

describe("at a terminal", () => {
  const type = (keys: string) =>
    runCaptured(["try", "s"], { cwd: temporaryFolder(FILES), answer: keys, env: { NO_COLOR: "1" } });

  test("a user sees a greeting and answers, and exits with 'exit'", async () => {
    const { code, stdout, stderr } = await type("activ\u0015active\rexit\ractive\r");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^3 skills loaded\. You play the model/);
    expect(stdout.match(/No skill is active\./g)).toHaveLength(1);
  });

  test.each([
    ["Ctrl-D", "\u0004", 0],
    ["Ctrl-C", "\u0003", 130],
    ["the end of the terminal", "", 0],
  ])("%s exits, on a new line", async (_name, key, expected) => {
    const { code, stdout, stderr } = await type(`active\r${key}`);
    expect({ code, stderr }).toEqual({ code: expected, stderr: "" });
    expect(stdout.endsWith("\n")).toBe(true);
  });

  test("lines that fail do not change the exit code", async () => {
    const { code, stdout } = await type("activate x\r! active\r");
    expect(code).toBe(0);
    expect(stdout).toContain("Unknown skill 'x'");
    expect(stdout).toContain("This line was expected to fail, but did not.");
  });

  test("the arrow key shows the previous line", async () => {
    const { stdout } = await type("active\r\u001b[A\r");
    expect(stdout.match(/No skill is active\./g)).toHaveLength(2);
  });

  test("text from a skill's files cannot control it", async () => {
    const cwd = temporaryFolder({ "s/a/SKILL.md": skillMd("a"), "s/a/x.txt": "\u001b[2Jgone" });
    const { stdout } = await runCaptured(["try", "s"], { cwd, answer: "read a x.txt\r" });
    expect(stdout).toContain("\\u{1b}[2Jgone");
  });
});

describe("completion", () => {
  test.each([
    [
      "",
      [
        "list",
        "prompt",
        "search",
        "activate",
        "files",
        "read",
        "call",
        "run",
        "active",
        "deactivate",
        "ledger",
        "help",
        "exit",
      ],
      "",
    ],
    ["act", ["activate", "active"], "act"],
    ["! dea", ["deactivate "], "dea"],
    ["/", ["/forms", "/private"], "/"],
    ["/f", ["/forms "], "/f"],
    ["activate ", ["forms", "private", "shy"], ""],
    ["activate f", ["forms "], "f"],
    ["read forms", ["forms "], "forms"],
    ["read forms ", ["SKILL.md", "references/the fields.md"], ""],
    ["read forms references/the f", ["references/the fields.md "], "references/the f"],
    ["read nothing ", [], ""],
    ["call forms ", [], ""],
    ["call forms fill {", [], "{"],
    ["active f", [], "f"],
    ["nonsense f", [], "f"],
    ["/forms s", [], "s"],
  ])("of %j", async (line, words, typed) => {
    const { session } = await converse();
    expect(await completeLine(line, session)).toEqual([words, typed]);
    expect(session.ledger.entries).toEqual([]);
  });

  test("leaves out a name that could control a terminal", async () => {
    const cwd = temporaryFolder({ "s/a/SKILL.md": skillMd("a"), "s/a/\u001b[2J.md": "" });
    const session = await (await createSkillset("s", { cwd })).session();
    expect(await completeLine("read a ", session)).toEqual([["SKILL.md "], ""]);
  });
});

test.each(["show", "try"])("the help of %s shows its usage, its options and examples", async (name) => {
  const { code, stdout } = await runCaptured([name, "--help"], { cwd: temporaryFolder() });
  expect(code).toBe(0);
  expect(stdout).toContain(`  skillset ${name} `);
  expect(stdout.split("Examples")[1]?.match(/skillset /g)?.length).toBeGreaterThanOrEqual(2);
});
