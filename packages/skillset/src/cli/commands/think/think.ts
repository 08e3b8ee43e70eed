import { AGENT_VARIABLE, targetIn } from "../../../acp/agent-target.ts";
import type { AgentCommand, AgentName } from "../../../acp/index.ts";
import { TOOL_KINDS } from "../../../acp/options/tool-kinds.ts";
import { agentNamesWith } from "../../../agents/find-agent.ts";
import { SkillError } from "../../../core/base/errors.ts";
import { resolvePath } from "../../../node/load/sources.ts";
import { agentOption } from "../../command-line/agent-option.ts";
import { defineCommand } from "../../command-line/command.ts";
import { EXIT_CODES } from "../../command-line/exit-codes.ts";
import { PROFILE_OPTION, refuseDisabled } from "../../command-line/load.ts";
import { oneOf, wholeNumber } from "../../command-line/parse-command-line.ts";
import { splitWords } from "../../command-line/split-words.ts";
import { UsageError } from "../../command-line/usage-error.ts";
import type { Io } from "../../terminal/io.ts";
import { createPaint } from "../../terminal/paint.ts";
import { printable } from "../../terminal/printable.ts";
import { writeLine } from "../../terminal/write.ts";
import { readPrompt, readSchema, workingFolder } from "./think-input.ts";
import { ThinkOutput } from "./think-output.ts";
import { runAgent } from "./think-run.ts";
import { exitOnSignals } from "./think-signals.ts";

const NAMES = agentNamesWith("acp");
const ALLOWED = [...TOOL_KINDS, "all"] as const;

export const think = defineCommand({
  usage: '[--agent NAME | --command "PROGRAM ARGS…"] [options] PROMPT',
  about:
    "Sends a prompt to an agent over ACP, with skills, and prints its answer or, with --schema, a result that matches.\n" +
    "Without --agent and --command, SKILLSET_AGENT is the agent's name or command.\n" +
    "The agent's permission requests are refused, unless --allow or you at the terminal allow them.",
  arguments: [
    { name: "PROMPT", about: "the prompt; read from stdin if it is left out. A last word '-' appends stdin to it" },
  ],
  options: {
    agent: { type: "string", value: "NAME", choices: NAMES, about: "the agent" },
    command: { type: "string", value: "LINE", about: "any other program that speaks ACP, and its arguments" },
    model: { type: "string", value: "NAME", about: "the model, by the agent's own name for it" },
    skill: {
      type: "string",
      multiple: true,
      value: "PATH",
      completes: "files",
      about: "a skill to use: its folder, its SKILL.md, or a folder of skills",
    },
    ...PROFILE_OPTION,
    schema: {
      type: "string",
      value: "FILE",
      completes: "files",
      about: "a JSON Schema; prints only a result that matches it",
    },
    json: { type: "boolean", about: "print only the answer, as JSON; text becomes a JSON string" },
    cwd: { type: "string", value: "DIR", completes: "folders", default: ".", about: "the agent's working directory" },
    timeout: { type: "string", value: "SECONDS", about: "the time limit for the start, and for the answer" },
    allow: {
      type: "string",
      multiple: true,
      value: "KIND",
      choices: ALLOWED,
      about: "a kind of permission request to allow",
    },
    verbose: { type: "boolean", about: "report progress on stderr, as on a terminal" },
  },
  examples: [
    ['skillset think --agent claude "What is in this folder?"', "ask an agent"],
    [
      'skillset think --agent codex --skill ./skills/release --allow edit "Write the notes"',
      "with a skill, and permission to edit",
    ],
    ['git diff | skillset think --agent gemini --schema schema.json "Review this:" - > review.json', "in a script"],
    ['skillset think --command "node my-agent.js --acp" "Say hello"', "any program that speaks ACP"],
  ],
  exitCodes: {
    1: "the agent failed, was not found, or took too long",
    129: EXIT_CODES[129],
    143: EXIT_CODES[143],
  },
  async run({ values, positionals }, io) {
    const allowed = toKinds(values.allow);
    const target = toTarget(values, io);
    const timeout = toMilliseconds(values.timeout);
    const folder = workingFolder(values.cwd, io);
    const schema = values.schema === undefined ? undefined : readSchema(values.schema, io);
    const { text, isFromStdin } = await readPrompt(positionals, io);
    const isAsking = !isFromStdin && io.stdin.isTTY === true && io.stderr.isTTY === true;
    const task = {
      text,
      skills: (values.skill ?? []).map((path) => resolvePath(path, io.cwd)),
      folder,
      timeout,
      model: values.model,
      schema,
      permissions: { allowed, isAsking },
      isJson: values.json ?? false,
      isVerbose: values.verbose ?? false,
    };
    await refuseDisabled(task.skills, values.profile, io);
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

/** An option takes precedence over the environment. */
function toTarget({ agent, command }: { agent?: string; command?: string }, io: Io): AgentName | AgentCommand {
  const { cwd, env } = io;
  const known = agentOption("agent", agent, "acp");
  if (known !== undefined && command === undefined) return known.name;
  const inEnvironment = known === undefined && command === undefined ? targetIn(env) : undefined;
  if (inEnvironment !== undefined) return typeof inEnvironment === "string" ? inEnvironment : { ...inEnvironment, cwd };
  if (known !== undefined || command === undefined)
    throw new UsageError(
      `'skillset think' needs either '--agent NAME' (${NAMES.join(", ")}) or '--command "PROGRAM ARGS…"'. Without both, set ${AGENT_VARIABLE}.`,
    );
  const [program = "", ...args] = splitWords("command", command);
  if (program === "") throw new UsageError("'--command' names no program.");
  return { command: program, args, cwd };
}

function toMilliseconds(seconds: string | undefined): number | undefined {
  const number = wholeNumber("timeout", seconds, 1);
  if (number !== undefined && number > 86_400) throw new UsageError("'--timeout' is at most a day: 86400 seconds.");
  return number === undefined ? undefined : number * 1_000;
}

function toKinds(given: readonly string[] = []): ReadonlySet<string> {
  const words = given.map((word) => oneOf("allow", word, ALLOWED) as string);
  return new Set(words.includes("all") ? TOOL_KINDS : words);
}

function isOfSeveralLines(error: unknown): error is SkillError {
  return error instanceof SkillError && error.message.includes("\n");
}

/** Prints the error and, below it, the last output of the agent. */
async function tellLines(message: string, { stderr, env }: Io): Promise<void> {
  const [sentence = "", ...rest] = message.split("\n").map(printable);
  await writeLine(stderr, createPaint(stderr, env)("red", sentence), ...rest.map((line) => `  ${line}`));
}
