import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { PlayedStep } from "../../../../../../test/acp/playing-agent.ts";
import { holdTimers } from "../../../../../../test/hold-timers.ts";
import { endWithTest } from "../../../../../../test/processes.ts";
import { skillMd, temporaryFolder, writeFiles } from "../../../../../../test/temporary-folder.ts";
import type { ScriptStep } from "../../../../../testing/src/model/script.ts";
import { startScriptedModel } from "../../../../../testing/src/model/scripted-model.ts";
import { main } from "../../main.ts";
import { runCaptured, type World } from "../../run-captured.ts";

const path = (url: string) => fileURLToPath(new URL(url, import.meta.url));
const MODEL_AGENT = path("../../../../../../test/acp/agent-program.ts");
const PLAYING_AGENT = path("../../../../../../test/acp/playing-agent.ts");
const NODE = `'${process.execPath}'`;

const NUMBER = JSON.stringify({ type: "object", properties: { n: { type: "integer" } }, required: ["n"] });
const FILES = {
  "number.json": NUMBER,
  "skills/charts/SKILL.md": skillMd("charts", "Makes charts.", "Follow style.md.\n"),
  "skills/charts/style.md": "Label both axes.\n",
};

/** Sends a prompt to an agent whose model follows a script. */
async function think(script: readonly ScriptStep[], argv: readonly string[], world: Partial<World> = {}) {
  const model = await startScriptedModel(script, { isSide: () => false });
  onTestFinished(() => model.close());
  const cwd = temporaryFolder(FILES);
  const given = ["think", "--command", `${NODE} '${MODEL_AGENT}' model ${model.url}`, ...argv];
  return { ...(await runCaptured(given, { cwd, ...world })), model, cwd };
}

/** Sends a prompt to an agent that plays steps. */
async function play(steps: readonly PlayedStep[], argv: readonly string[], world: Partial<World> = {}) {
  const cwd = temporaryFolder({ ...FILES, "steps.json": JSON.stringify(steps) });
  const given = ["think", "--command", `${NODE} '${PLAYING_AGENT}' steps.json`, ...argv];
  return { ...(await runCaptured(given, { cwd, ...world })), cwd };
}

/** The same on a terminal, where each question is answered when it is asked. */
async function playAnswered(steps: readonly PlayedStep[], answers: readonly string[]) {
  const cwd = temporaryFolder({ "steps.json": JSON.stringify(steps) });
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const rest = [...answers];
  let stdout = "";
  const code = await main(["think", "--command", `${NODE} '${PLAYING_AGENT}' steps.json`, "x"], {
    ...{ cwd, home: cwd, env: {}, signal: new AbortController().signal, stdin },
    stdout: output(true, (text) => (stdout += text)),
    stderr: output(true, (text) => {
      if (text.endsWith("[y/N] ")) setTimeout(() => stdin.write(rest.shift()), 50);
    }),
  });
  return { code, stdout };
}

/** A stream that passes its text to `take`. */
function output(isTTY: boolean, take: (text: string) => void) {
  return {
    isTTY,
    write(chunk: Uint8Array | string, done: () => void) {
      take(Buffer.from(chunk as Uint8Array).toString());
      done();
    },
  };
}

/** Sends a prompt to an agent that misbehaves in one way. */
async function bear(mode: string, argv: readonly string[], world: Partial<World> = {}) {
  const given = ["think", "--command", `${NODE} '${MODEL_AGENT}' ${mode}`, ...argv];
  return runCaptured(given, { cwd: temporaryFolder(FILES), ...world });
}

const promptOf = ({ model }: Awaited<ReturnType<typeof think>>) => JSON.stringify(model.requests[0]?.messages);

describe("the answer", () => {
  test("is printed on stdout, and nothing else is printed", async () => {
    const { code, stdout, stderr, model } = await think([{ say: "Four." }], ["What", "is", "2 + 2?"]);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "Four.\n", stderr: "" });
    expect(JSON.stringify(model.requests[0]?.messages)).toContain("What is 2 + 2?");
  });

  test("includes the agent's text before a tool call, as a separate paragraph", async () => {
    const script = [{ say: "I look it up.", call: "activate_skill", input: { name: "charts" } }, { say: "Four." }];
    const { stdout } = await think(script, ["--skill", "skills/charts", "What is 2 + 2?"]);
    expect(stdout).toBe("I look it up.\n\nFour.\n");
  });

  test("is printed as it arrives", async () => {
    const cwd = temporaryFolder({ "steps.json": JSON.stringify([{ say: "One, " }, { hang: "end" }]) });
    const started = start(cwd, "think", "--command", `${NODE} '${PLAYING_AGENT}' steps.json`, "Count");
    await vi.waitFor(() => expect(started.stdout()).toBe("One, "), { timeout: 20_000 });
    started.child.kill("SIGINT");
    expect(await started.ended).toBe(130);
  });

  test("with --json is only a JSON string: the agent's last message", async () => {
    const script = [{ say: "I look.", call: "activate_skill", input: { name: "charts" } }, { say: 'It is "4".\n' }];
    const { code, stdout, stderr } = await think(script, ["--json", "--skill", "skills", "What is 2 + 2?"]);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '"It is \\"4\\"."\n', stderr: "" });
  });

  test.each([[["--json"]], [[]]])("with --schema and %j is only the result, as JSON that matches", async (flags) => {
    const script = [
      { say: "Let me think.", call: "return_result", input: { n: "four" } },
      { call: "return_result", input: { n: 4 } },
      { say: "Done." },
    ];
    const { code, stdout, stderr } = await think(script, ["--schema", "number.json", ...flags, "What is 2 + 2?"]);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '{\n  "n": 4\n}\n', stderr: "" });
  });

  test("that arrives faster than it can be written is reported as incomplete", async () => {
    const words = Array.from({ length: 25_000 }, () => ({ say: "word " }));
    // An answer to a request proves that everything before it was received.
    const cwd = temporaryFolder({ "steps.json": JSON.stringify([...words, { ask: "Continue" }, { mark: "heard" }]) });
    let printed = "";
    const stdout = {
      write(_chunk: unknown, done: () => void) {
        const heard = () => expect(existsSync(join(cwd, "heard"))).toBe(true);
        void vi.waitFor(heard, { timeout: 50_000 }).then(() => done());
      },
    };
    const stderr = {
      write(chunk: Uint8Array | string, done: () => void) {
        printed += Buffer.from(chunk as Uint8Array).toString();
        done();
      },
    };
    const io = { cwd, home: cwd, env: {}, signal: new AbortController().signal, stdin: process.stdin, stdout, stderr };
    const argv = ["think", "--command", `${NODE} '${PLAYING_AGENT}' steps.json`, "--allow", "all", "x"];
    expect(await main(argv, io)).toBe(1);
    expect(printed).toBe(
      "Part of the answer is missing, because it arrived too fast. Use '--json' to print the whole answer.\n",
    );
  });

  test("with --schema that never arrives is an error with exit code 1", async () => {
    const { code, stdout, stderr } = await think([{ say: "No." }, { say: "No!" }], ["--schema", "number.json", "x"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toBe("The agent ended its turn without calling `return_result`. Its answer: No!\n");
  });
});

describe("SKILLSET_AGENT", () => {
  const steps = JSON.stringify([{ report: "process" }]);
  const line = `${NODE} '${PLAYING_AGENT}' steps.json`;

  test("is the agent if no option names one, and starts in the current directory", async () => {
    const cwd = temporaryFolder({ "steps.json": steps });
    const { code, stdout } = await runCaptured(["think", "Go"], { cwd, env: { SKILLSET_AGENT: line } });
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining(` in ${realpathSync(cwd)},`) });
  });

  test("does not replace an option, and an unknown name is an error", async () => {
    const cwd = temporaryFolder({ "steps.json": steps });
    const unknown = { SKILLSET_AGENT: "cluade" };
    expect(await runCaptured(["think", "--command", line, "Go"], { cwd, env: unknown })).toMatchObject({ code: 0 });
    expect(await runCaptured(["think", "Go"], { cwd, env: unknown })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("'cluade' is neither a known agent nor a program on the PATH."),
    });
  });
});

test("--model is refused by an agent that offers no choice", async () => {
  const { code, stderr } = await play([{ say: "Hi." }], ["--model", "large", "Go"]);
  expect(code).toBe(1);
  expect(stderr).toContain("The agent 'player' does not let clients choose a model.");
});

test("SKILLSET_TRACE names a file relative to the current directory", async () => {
  const { code, cwd } = await play([{ say: "Hi." }], ["Go"], { env: { SKILLSET_TRACE: "trace.ndjson" } });
  expect(code).toBe(0);
  expect(readFileSync(join(cwd, "trace.ndjson"), "utf8")).toContain('"method":"session/prompt"');
});

describe("the prompt", () => {
  test.each([[[]], [["-"]]])("is read from a pipe with %j", async (argv) => {
    const result = await think([{ say: "Four." }], argv, { answer: "What is 2 + 2?\n", isTTY: false });
    expect(result).toMatchObject({ code: 0, stdout: "Four.\n" });
    expect(promptOf(result)).toContain("What is 2 + 2?");
  });

  test("includes stdin if it ends with '-'", async () => {
    const result = await think([{ say: "Fine." }], ["Review", "this:", "-"], { answer: "+ a\n- b\n", isTTY: false });
    expect(promptOf(result)).toContain(JSON.stringify("Review this:\n\n+ a\n- b").slice(1, -1));
  });

  test("starts a skill with /NAME", async () => {
    const result = await think([{ say: "Done." }], ["--skill", "skills/charts", "/charts", "sales"]);
    expect(promptOf(result)).toContain("Follow style.md.");
  });
});

describe("progress", () => {
  const script = [
    { call: "activate_skill", input: { name: "charts" } },
    { call: "read_skill_file", input: { skill: "charts", path: "style.md" } },
    { call: "read_skill_file", input: { skill: "charts", path: "no.md" } },
    { say: "Done." },
  ];
  const LINES = [
    /^Agent: skillset-test-agent \d+\.\d+\.\d+$/m,
    /^Bridge: http$/m,
    /^Tool: mcp__skillset__activate_skill$/m,
    /^Skill: charts \(\d+ tokens\)$/m,
    /^File: charts\/style\.md \(17 bytes\)$/m,
    /^Tool failed: mcp__skillset__read_skill_file: 'no\.md' does not exist in this skill\./m,
  ];

  test.each([
    ["with --verbose", ["--verbose"], {}],
    ["on a terminal", [], { isTTY: true, env: { NO_COLOR: "1" } }],
  ])("is on stderr %s: the agent, skills, files and tools", async (_, flags, world) => {
    const { code, stdout, stderr } = await think(script, [...flags, "--skill", "skills/charts", "Draw"], world);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "Done.\n" });
    for (const line of LINES) expect(stderr).toMatch(line);
  });

  test("is not shown otherwise", async () => {
    expect((await think(script, ["--skill", "skills/charts", "Draw"])).stderr).toBe("");
  });

  test("shows the state of the plan, and results that do not match", async () => {
    const entry = (content: string, status: "completed" | "in_progress" | "pending") =>
      ({ content, status, priority: "medium" }) as const;
    const entries = [entry("Read", "completed"), entry("Write", "in_progress"), entry("Rest", "pending")];
    const planned = await play([{ update: { sessionUpdate: "plan", entries } }], ["--verbose", "Go"]);
    expect(planned.stderr).toContain("Plan: 1 of 3 done; now Write\n");
    const results = [
      { call: "return_result", input: { n: 1.5 } },
      { call: "return_result", input: { n: 4 } },
    ];
    const refused = await think([...results, { say: "." }], ["--verbose", "--schema", "number.json", "Go"]);
    expect(refused.stderr).toMatch(/^Result refused: .*n.* \(4 attempts left\)$/m);
  });

  test("is coloured on a terminal, and starts on new lines", async () => {
    const call = { sessionUpdate: "tool_call", toolCallId: "1", title: "Look" } as const;
    const steps = [{ say: "I look" }, { update: call }, { say: "Fine" }];
    const { stdout, stderr } = await play(steps, ["Go"], { isTTY: true });
    expect(stderr).toContain("\u001b[2mTool:\u001b[22m Look\n");
    expect(stdout).toBe("I look\n\nFine\n");
  });
});

describe("a permission request", () => {
  const steps = [
    { ask: "Run the tests", kind: "execute" },
    { ask: "Read notes", kind: "read" },
    { ask: "Odd" },
  ] as const;

  test("is refused, with a line that shows how to allow it", async () => {
    const { code, stdout, stderr } = await play(steps, ["Go"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "Run the tests: no. Read notes: no. Odd: no. \n" });
    expect(stderr).toBe(
      "Refused: Run the tests (execute): '--allow execute' would allow it.\n" +
        "Refused: Read notes (read): '--allow read' would allow it.\n" +
        "Refused: Odd (other): '--allow other' would allow it.\n",
    );
  });

  test("is allowed by its kind, for one time", async () => {
    const { stdout, stderr } = await play(steps, ["--allow", "read", "--allow", "other", "Go"]);
    expect(stdout).toBe("Run the tests: no. Read notes: yes. Odd: yes. \n");
    expect(stderr.match(/^Refused/gm)).toHaveLength(1);
  });

  test("is always allowed with --allow all", async () => {
    const { stdout, stderr } = await play(steps, ["--allow", "all", "Go"]);
    expect({ stdout, stderr }).toEqual({ stdout: "Run the tests: yes. Read notes: yes. Odd: yes. \n", stderr: "" });
  });

  test("is not allowed by a title that is the name of a kind", async () => {
    const { stdout } = await play([{ ask: "read", kind: "execute" }], ["--allow", "read", "Go"]);
    expect(stdout).toBe("read: no. \n");
  });

  test.each([
    ["y\n", "yes"],
    ["\n", "no"],
  ])("is asked about on a terminal, where %j means %s", async (answer, outcome) => {
    const asked = [{ ask: "Run\u001b[2J the tests", kind: "execute", input: { command: "npm test" } }] as const;
    const { stdout, stderr } = await play(asked, ["Go"], { answer, env: { NO_COLOR: "1" } });
    expect(stdout).toContain(`: ${outcome}. `);
    expect(stderr).toContain(
      'The agent asks to execute: Run\\u{001b}[2J the tests\n  {"command":"npm test"}\nAllow it this once? [y/N] ',
    );
    expect(stderr).not.toContain("would allow it");
  });

  test("is shown one at a time, and refused when there are no more answers", async () => {
    const world = { answer: "y\n", env: { NO_COLOR: "1" } };
    const { stdout, stderr } = await play([{ askAll: ["One", "Two"] }], ["Go"], world);
    expect(stdout).toContain("One: yes. ");
    expect(stdout).toContain("Two: no. ");
    expect(stderr).toMatch(/Allowed: One \(execute\)\nRefused: Two \(execute\)$/m);
  });

  test("is shown each time", async () => {
    const steps = [{ ask: "One" }, { askAll: ["Two", "Three"] }];
    const { stdout } = await playAnswered(steps, ["y\n", "n\n", "yes\n"]);
    for (const said of ["One: yes. ", "Two: no. ", "Three: yes. "]) expect(stdout).toContain(said);
  });
});

describe("a usage error is one line with exit code 2:", () => {
  const either = `'skillset think' needs either '--agent NAME' (claude, codex, gemini, opencode, pi, kiro, auggie) or '--command "PROGRAM ARGS…"'. Without both, set SKILLSET_AGENT.`;
  const noPrompt = `'skillset think' needs a prompt, as in 'skillset think --agent claude "Say hello"'.`;
  test.each([
    [["Hello"], either],
    [["--agent", "claude", "--command", "node", "Hello"], either],
    [
      ["--agent", "cluade", "Hello"],
      "'--agent' takes claude, codex, gemini, opencode, pi, kiro or auggie, not 'cluade'; did you mean 'claude'?",
    ],
    [
      ["--agent", "cursor", "Hello"],
      "'cursor' has no known program that speaks ACP. '--agent' takes claude, codex, gemini, opencode, pi, kiro or auggie.",
    ],
    [["--command", "node 'a", "Hello"], "'--command' has an unclosed quote."],
    [["--command", " ", "Hello"], "'--command' names no program."],
    [["--command", "node"], noPrompt],
    [["--command", "node", " "], noPrompt],
    [["--command", "node", "-"], noPrompt],
    [["--command", "node", "--timeout", "0", "x"], "'--timeout' needs a whole number of at least 1, not '0'."],
    [["--command", "node", "--timeout", "1.5", "x"], "'--timeout' needs a whole number of at least 1, not '1.5'."],
    [["--command", "node", "--timeout", "9999999", "x"], "'--timeout' is at most a day: 86400 seconds."],
    [["--command", "node", "--allow", "exec", "x"], /^'--allow' takes read, .* or all, not 'exec'/],
    [["--command", "node", "--skill"], "'--skill' needs a value (PATH)."],
    [["--agnet", "x"], "'skillset think' has no option '--agnet'; did you mean '--agent'?"],
  ])("%j", async (argv, sentence) => {
    const { code, stdout, stderr } = await runCaptured(["think", ...argv], { cwd: temporaryFolder() });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^[^\n]+\n$/);
    if (typeof sentence === "string") expect(stderr).toBe(`${sentence}\n`);
    else expect(stderr).toMatch(sentence);
  });

  test("a terminal without a prompt", async () => {
    const result = await runCaptured(["think", "--command", "node"], { cwd: temporaryFolder(), isTTY: true });
    expect(result.code).toBe(2);
    expect(result.stderr).toContain(noPrompt);
  });
});

describe("an error is one line with exit code 1:", () => {
  test.each([
    ["missing.json", "The schema 'missing.json' does not exist."],
    ["skills", "The schema 'skills' cannot be read (EISDIR)."],
    ["text.json", /^The schema 'text\.json' is not JSON: .+\.\n$/],
    ["list.json", "The schema 'list.json' must be a JSON object; it is a list."],
    ["true.json", "The schema 'true.json' must be a JSON object; it is a boolean."],
    ["null.json", "The schema 'null.json' must be a JSON object; it is null."],
  ])("the schema %s", async (file, sentence) => {
    const cwd = temporaryFolder({ ...FILES, "text.json": "{ type", "list.json": "[]", "true.json": "true" });
    writeFiles(cwd, { "null.json": "null" });
    const { code, stdout, stderr } = await runCaptured(
      ["think", "--command", "no-such-program", "--schema", file, "x"],
      { cwd },
    );
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    if (typeof sentence === "string") expect(stderr).toBe(`${sentence}\n`);
    else expect(stderr).toMatch(sentence);
  });

  test("a skill that does not exist, before the agent gets a prompt", async () => {
    const { code, stdout, stderr, cwd, model } = await think([{ say: "Hi." }], ["--skill", "skills/no", "x"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toBe(`No skills at '${cwd}/skills/no': it does not exist. Create it, or pass another path.\n`);
    expect(model.requests).toEqual([]);
  });

  test("a working directory that does not exist", async () => {
    const { code, stderr } = await play([], ["--cwd", "nowhere", "x"]);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: "The agent cannot work in 'nowhere': the folder does not exist.\n",
    });
  });

  test("a program that does not exist", async () => {
    const { code, stderr } = await runCaptured(["think", "--command", "no-such-program --acp", "x"], {
      cwd: temporaryFolder(),
    });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: "The agent 'no-such-program' cannot be started: the program was not found.\n",
    });
  });

  test("an agent that is not installed, and how to get it", async () => {
    vi.stubEnv("PATH", temporaryFolder());
    onTestFinished(() => void vi.unstubAllEnvs());
    const { code, stderr } = await runCaptured(["think", "--agent", "claude", "x"], { cwd: temporaryFolder() });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^The agent 'claude' needs .* Install it with: npm install --global \S+\n$/);
  });

  test("an agent that takes too long to answer", async () => {
    const deadline = holdTimers(1_000);
    const cwd = temporaryFolder({ "steps.json": JSON.stringify([{ say: "Well" }, { hang: "end" }]) });
    let [stdout, stderr] = ["", ""];
    const code = await main(["think", "--command", `${NODE} '${PLAYING_AGENT}' steps.json`, "--timeout", "1", "x"], {
      ...{ cwd, home: cwd, env: {}, signal: new AbortController().signal, stdin: process.stdin },
      stdout: output(false, (text) => {
        stdout += text;
        deadline.end();
      }),
      stderr: output(false, (text) => (stderr += text)),
    });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "Well\n" });
    expect(stderr).toBe("The run took longer than 1000 ms and was cancelled.\n");
    expect(readFileSync(join(cwd, "end"), "utf8")).toBe("cancelled");
  });

  test("an agent that takes too long to start", async () => {
    const { code, stderr } = await bear("hang-initialize", ["--timeout", "1", "x"]);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: "The agent did not respond within 1000 ms of starting.\n",
    });
  });
});

describe("an agent that crashes", () => {
  test.each([
    [
      "exit-at-start",
      "The agent exited with code 3 before it responded. It must speak ACP over stdin and stdout. Its last output:\n  This agent cannot start: no licence.\n",
      "",
    ],
    [
      "exit-mid-turn",
      "The agent exited with code 7. Its last output:\n  first line\n  second line\n  third line\n",
      "I am about to\n",
    ],
  ])("(%s) is reported with its last lines", async (mode, stderr, stdout) => {
    expect(await bear(mode, ["x"])).toEqual({ code: 1, stdout, stderr });
  });
});

describe("Ctrl-C", () => {
  const STEPS = [{ report: "process" }, { hang: "end" }];

  test("cancels the turn, ends the agent, and exits with 130", async () => {
    const cwd = temporaryFolder({ "steps.json": JSON.stringify(STEPS) });
    const started = start(cwd, "think", "--command", `${NODE} '${PLAYING_AGENT}' steps.json`, "x");
    const pid = await pidFrom(started.stdout);
    started.child.kill("SIGINT");
    expect(await started.ended).toBe(130);
    expect(started.stderr()).toBe("");
    expect(readFileSync(join(cwd, "end"), "utf8")).toBe("cancelled");
    expect(isAlive(pid)).toBe(false);
  });

  test("while the agent starts exits with 130 as well", async () => {
    const started = start(temporaryFolder(), "think", "--command", `${NODE} '${MODEL_AGENT}' hang-initialize`, "x");
    const agent = await vi.waitFor(() => childOf(started.child.pid), { timeout: 20_000 });
    started.child.kill("SIGINT");
    expect(await started.ended).toBe(130);
    expect(isAlive(agent)).toBe(false);
  });

  test("while the prompt is piped in exits with 130, and starts nothing", async () => {
    const started = start(temporaryFolder(), "think", "--command", "no-such-program");
    started.child.stdin.write("What is ");
    await started.ready;
    await new Promise((resolve) => setTimeout(resolve, 300));
    started.child.kill("SIGINT");
    expect(await started.ended).toBe(130);
    expect(started.stderr()).toBe("");
  });

  test.each([
    ["a second Ctrl-C", ["SIGINT", "SIGINT"], 130],
    ["the end of the terminal", ["SIGHUP"], 129],
    ["SIGTERM", ["SIGTERM"], 143],
  ] as const)("or %s leaves no agent behind that does not hear", async (_, signals, code) => {
    const started = start(temporaryFolder(), "think", "--command", `${NODE} '${MODEL_AGENT}' deaf`, "--verbose", "x");
    const agent = await vi.waitFor(() => childOf(started.child.pid), { timeout: 20_000 });
    await vi.waitFor(() => expect(started.stderr()).toContain("Agent:"), { timeout: 20_000 });
    for (const signal of signals) {
      started.child.kill(signal);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    expect(await started.ended).toBe(code);
    await vi.waitFor(() => expect(isAlive(agent)).toBe(false));
  });
});

test("the agent starts in the current directory, and works in --cwd", async () => {
  const { stdout, cwd } = await play([{ report: "process" }], ["--cwd", "skills/charts", "x"]);
  expect(stdout).toContain(`in ${cwd}, session in ${cwd}/skills/charts.`);
});

test("paths of skills are relative to the current directory, not to --cwd", async () => {
  const script = [{ call: "activate_skill", input: { name: "charts" } }, { say: "Done." }];
  const argv = ["--cwd", "skills/charts", "--skill", "skills/charts/SKILL.md", "--verbose", "x"];
  expect((await think(script, argv)).stderr).toContain("Skill: charts");
});

test("quotes group the words of --command, and no shell is used", async () => {
  const cwd = temporaryFolder({ "my steps $(id).json": JSON.stringify([{ say: "Hi." }]) });
  const command = `${NODE} "${PLAYING_AGENT}" "my steps $(id).json"`;
  expect(await runCaptured(["think", "--command", command, "x"], { cwd })).toEqual({
    code: 0,
    stdout: "Hi.\n",
    stderr: "",
  });
});

describe("control characters of an agent", () => {
  const EVIL = "\u001b]0;owned\u0007\u001b[2J\u009b31m\u202e\rred";

  test("do not reach stdout or stderr, as a text", async () => {
    const call = { sessionUpdate: "tool_call", toolCallId: "1", title: EVIL } as const;
    const steps = [{ say: `a${EVIL}` }, { update: call }, { ask: EVIL }] as const;
    const { code, stdout, stderr } = await play(steps, ["--verbose", "x"]);
    expect(code).toBe(0);
    expect(stdout).toContain("a]0;owned[2J31mred");
    expect(stdout + stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  });

  test("are escaped in JSON, which has the same value", async () => {
    const { stdout } = await play([{ say: `a${EVIL}` }], ["--json", "x"]);
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(JSON.parse(stdout)).toBe(`a${EVIL}`);
  });

  test("are removed from the last lines of one that crashes", async () => {
    const program = `process.stderr.write(${JSON.stringify(`${EVIL}\nlast`)}); process.exit(1)`;
    const cwd = temporaryFolder({ "crash.cjs": program });
    const { code, stderr } = await runCaptured(["think", "--command", `${NODE} crash.cjs`, "x"], { cwd });
    expect(code).toBe(1);
    expect(stderr).toMatch(/Its last output:\n {2}.*red\n {2}last\n$/);
    expect(stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  });

  test("do not include the joiners of emoji, even in pieces", async () => {
    const steps = Array.from("👩\u200d💻 ❤\ufe0f").flatMap((character) => character.split("").map((say) => ({ say })));
    expect((await play(steps, ["x"])).stdout).toBe("👩\u200d💻 ❤\ufe0f\n");
  });
});

/** Starts the command line as a separate process. */
function start(cwd: string, ...argv: string[]) {
  const program = `import { main } from ${JSON.stringify(new URL("../../main.ts", import.meta.url).href)};
    const ended = main(process.argv.slice(1));
    process.send("ready");
    process.exitCode = await ended;`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program, "--", ...argv], {
    cwd,
    stdio: ["pipe", "pipe", "pipe", "ipc"],
  }) as ChildProcessWithoutNullStreams;
  endWithTest(child);
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk) => (stdout += chunk));
  child.stderr.on("data", (chunk) => (stderr += chunk));
  const ended = once(child, "exit").then(([code]) => code as number | null);
  return { child, ready: once(child, "message"), ended, stdout: () => stdout, stderr: () => stderr };
}

async function pidFrom(stdout: () => string): Promise<number> {
  return vi.waitFor(() => Number(/process (\d+)/.exec(stdout())?.[1] ?? expect.fail("no pid yet")), {
    timeout: 20_000,
  });
}

/** The child of a process; throws while there is none. */
function childOf(pid: number | undefined): number {
  return processes().find(({ parent }) => parent === pid)?.pid ?? expect.fail("no child yet");
}

/** A process that has ended can be listed until its parent collects the exit code. */
function isAlive(pid: number): boolean {
  return processes().some((one) => one.pid === pid && !one.state.startsWith("Z"));
}

function processes() {
  const rows = execFileSync("ps", ["-A", "-o", "pid=,ppid=,stat="], { encoding: "utf8" }).trim().split("\n");
  return rows.map((row) => {
    const [pid, parent, state = ""] = row.trim().split(/\s+/);
    return { pid: Number(pid), parent: Number(parent), state };
  });
}
