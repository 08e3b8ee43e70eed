import type { AgentCommand, AgentName } from "../../acp/index.ts";
import { TOOL_KINDS } from "../../acp/plan/tool-kinds.ts";
import { agentNamesWith } from "../../agents/find-agent.ts";
import { SkillError } from "../../core/base/errors.ts";
import { resolvePath } from "../../node/load/sources.ts";
import { agentOption } from "../agent/agent-option.ts";
import { defineCommand } from "../command/command.ts";
import { oneOf, wholeNumber } from "../command/parse-command-line.ts";
import { splitWords } from "../command/split-words.ts";
import { UsageError } from "../command/usage-error.ts";
import type { Io } from "../terminal/io.ts";
import { createPaint } from "../terminal/paint.ts";
import { printable } from "../terminal/printable.ts";
import { writeLine } from "../terminal/write.ts";
import { readPrompt, readSchema, workingFolder } from "./think-input.ts";
import { ThinkOutput } from "./think-output.ts";
import { runAgent } from "./think-run.ts";
import { exitOnSignals } from "./think-signals.ts";

const NAMES = agentNamesWith("acp");

export const think = defineCommand({
  usage: '--agent NAME | --command "PROGRAM ARGS…" [options] PROMPT',
  about:
    "Asks an agent over ACP, with the skills that are given, and prints what it says; with --schema, a result that fits.\n" +
    "Without a prompt it is read from a pipe; a last word '-' adds what is piped in to the prompt.\n" +
    "What the agent asks to do is refused, unless it is allowed here or by you at the terminal.",
  options: {
    agent: { type: "string", value: "NAME", about: `the agent: ${NAMES.join(", ")}` },
    command: { type: "string", value: "LINE", about: "any other: a program that speaks ACP, and its arguments" },
    skill: {
      type: "string",
      multiple: true,
      value: "PATH",
      about: "a skill to use: its folder, its SKILL.md, or a folder of skills (repeatable)",
    },
    schema: { type: "string", value: "FILE", about: "a JSON Schema; the result fits it, and is printed alone" },
    json: { type: "boolean", about: "print the answer alone, as JSON; a text is a JSON string" },
    cwd: { type: "string", value: "DIR", about: "where the agent works, instead of here" },
    timeout: { type: "string", value: "SECONDS", about: "how long it may take to start, and to answer" },
    allow: {
      type: "string",
      multiple: true,
      value: "KIND",
      about: `what it may do when it asks (repeatable): ${TOOL_KINDS.join(", ")}, or all`,
    },
    verbose: { type: "boolean", about: "say what it does on stderr, as on a terminal" },
  },
  examples: [
    ['skillset think --agent claude "What is in this folder?"', "ask an agent"],
    ['skillset think --agent codex --skill ./skills/release --allow edit "Write the notes"', "with a skill, to edit"],
    ['git diff | skillset think --agent gemini --schema schema.json "Review this:" - > review.json', "in a script"],
    ['skillset think --command "node my-agent.js --acp" "Say hello"', "any program that speaks ACP"],
  ],
  async run({ values, positionals }, io) {
    const target = toTarget(values, io);
    const timeout = toMilliseconds(values.timeout);
    const allowed = toKinds(values.allow);
    const folder = workingFolder(values.cwd, io);
    const schema = values.schema === undefined ? undefined : readSchema(values.schema, io);
    const { text, isFromStdin } = await readPrompt(positionals, io);
    const isAsking = !isFromStdin && io.stdin.isTTY === true && io.stderr.isTTY === true;
    const task = {
      text,
      skills: (values.skill ?? []).map((path) => resolvePath(path, io.cwd)),
      folder,
      timeout,
      schema,
      permissions: { allowed, isAsking },
      isJson: values.json ?? false,
      isVerbose: values.verbose ?? false,
    };
    const output = new ThinkOutput(io);
    const release = exitOnSignals(io.signal);
    try {
      await runAgent(target, task, output, io);
      return 0;
    } catch (error) {
      await output.end();
      if (io.signal.aborted || !isOfSeveralLines(error)) throw error;
      await tellLines(error.message, io);
      return 1;
    } finally {
      release();
    }
  },
});

function toTarget({ agent, command }: { agent?: string; command?: string }, { cwd }: Io): AgentName | AgentCommand {
  const known = agentOption("agent", agent, "acp");
  if (known !== undefined && command === undefined) return known.name;
  if (known !== undefined || command === undefined)
    throw new UsageError(
      `'skillset think' needs either '--agent NAME' (${NAMES.join(", ")}) or '--command "PROGRAM ARGS…"'.`,
    );
  const [program = "", ...args] = splitWords("command", command);
  if (program === "") throw new UsageError("'--command' names no program.");
  return { command: program, args, cwd };
}

function toMilliseconds(seconds: string | undefined): number | undefined {
  const number = wholeNumber("timeout", seconds, 1);
  if (number !== undefined && number > 86_400) throw new UsageError("'--timeout' is a day at most: 86400 seconds.");
  return number === undefined ? undefined : number * 1_000;
}

function toKinds(given: readonly string[] = []): ReadonlySet<string> {
  const words = given.map((word) => oneOf("allow", word, [...TOOL_KINDS, "all"]) as string);
  return new Set(words.includes("all") ? TOOL_KINDS : words);
}

function isOfSeveralLines(error: unknown): error is SkillError {
  return error instanceof SkillError && error.message.includes("\n");
}

/** What went wrong, and below it what the agent wrote last. */
async function tellLines(message: string, { stderr, env }: Io): Promise<void> {
  const [sentence = "", ...rest] = message.split("\n").map(printable);
  await writeLine(stderr, createPaint(stderr, env)("red", sentence), ...rest.map((line) => `  ${line}`));
}
