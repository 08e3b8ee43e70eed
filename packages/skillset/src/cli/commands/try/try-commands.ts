import { nearestWord } from "../../../core/text/nearest-word.ts";
import { printable } from "../../terminal/printable.ts";
import { done, failed, type Reply, type TryConversation } from "./try-conversation.ts";
import { runScriptLine } from "./try-run.ts";

/** A parsed line. */
export interface TryLine {
  /** Whether the line is expected to fail. */
  readonly mustFail: boolean;
  readonly text: string;
}

export interface TryCommand {
  /** The last parameter takes the rest of the line. */
  readonly parameters: readonly Parameter[];
  readonly about: string;
  run(conversation: TryConversation, values: readonly string[]): Promise<Reply> | Reply;
}

export type Parameter = "NAME" | "PATH" | "TOOL" | "JSON" | "SCRIPT" | "WORDS";

/** Parses a line; undefined for a blank line or a comment. */
export function parseLine(line: string): TryLine | undefined {
  const text = line.trim();
  if (text === "" || text.startsWith("#")) return undefined;
  const mustFail = text.startsWith("!");
  return { mustFail, text: mustFail ? text.slice(1).trimStart() : text };
}

/** Runs one line. Errors are replies too. */
export async function runLine(conversation: TryConversation, text: string): Promise<Reply> {
  if (text.startsWith("/")) return conversation.invoke(text);
  const [, name = "", rest = ""] = /^(\S*)\s*([\s\S]*)$/.exec(text) ?? [];
  const command = findCommand(name);
  if (command === undefined) {
    const near = nearestWord(name, Object.keys(COMMANDS));
    return failed(`Unknown command '${name}'; ${near === undefined ? "see 'help'." : `did you mean '${near}'?`}`);
  }
  const { parameters } = command;
  const values = splitWords(rest, parameters.length);
  if (values.length !== parameters.length) return failed(`Usage: ${[name, ...parameters].join(" ")}`);
  return command.run(conversation, values);
}

export function findCommand(name: string): TryCommand | undefined {
  const command = name === "quit" || name === "q" ? "exit" : name;
  return Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
}

/** Splits a text into at most `most` words; the last one is the rest. An empty text has no words. */
export function splitWords(text: string, most: number): string[] {
  if (text === "") return [];
  if (most <= 1) return [text];
  const [, word = "", rest = ""] = /^(\S+)\s*([\s\S]*)$/.exec(text) ?? [];
  return [word, ...splitWords(rest, most - 1)];
}

export const COMMANDS: Readonly<Record<string, TryCommand>> = {
  list: { parameters: [], about: "list the skills with their descriptions", run: listSkills },
  prompt: {
    parameters: [],
    about: "show the system prompt: the skills, and how to use them",
    run: async (conversation) => done((await conversation.prompt()) || "Empty: no skill is available to a model."),
  },
  search: {
    parameters: ["WORDS"],
    about: "search the skills, as a model does that cannot see all of them",
    run: (conversation, [query]) => conversation.operate("search_skills", undefined, { query }),
  },
  activate: {
    parameters: ["NAME"],
    about: "load a skill's instructions, as a model does",
    run: (conversation, [name = ""]) => conversation.operate("activate_skill", name, { name }),
  },
  files: {
    parameters: ["NAME"],
    about: "list the files of a skill",
    run: (conversation, [name = ""]) => conversation.files(name),
  },
  read: {
    parameters: ["NAME", "PATH"],
    about: "read a skill's file, as a model does",
    run: (conversation, [skill = "", path]) => conversation.operate("read_skill_file", skill, { skill, path }),
  },
  call: { parameters: ["NAME", "TOOL", "JSON"], about: "call a skill's tool, as a model does", run: callTool },
  run: {
    parameters: ["NAME", "SCRIPT"],
    about: 'run a skill\'s script, as a model does, with words after it or {"args": […], "input": …}',
    run: runScriptLine,
  },
  active: {
    parameters: [],
    about: "list the active skills",
    run: ({ session: { active } }) => done(active.join("\n") || "No skill is active."),
  },
  deactivate: {
    parameters: ["NAME"],
    about: "deactivate a skill",
    run: (conversation, [name = ""]) => conversation.deactivate(name),
  },
  ledger: { parameters: [], about: "show the events of this session", run: showLedger },
  help: { parameters: [], about: "show this list", run: () => done(helpText()) },
  exit: { parameters: [], about: "exit, like 'quit', 'q' and Ctrl-D", run: () => ({ outcome: "left" }) },
};

function listSkills({ session }: TryConversation): Reply {
  const { skills } = session.skillset;
  const width = Math.max(0, ...skills.map(({ name }) => name.length));
  const rows = skills.map(({ name, description, modelInvocable }) => {
    const remark = modelInvocable ? "" : " (only users can invoke it)";
    return `${session.active.includes(name) ? "*" : " "} ${printable(name).padEnd(width)}  ${printable(description)}${remark}`;
  });
  return done(rows.join("\n") || "No skills. Run 'skillset list' to see what was found, and where.");
}

function callTool(
  conversation: TryConversation,
  [skill = "", tool, json = ""]: readonly string[],
): Promise<Reply> | Reply {
  let input: unknown;
  try {
    input = JSON.parse(json);
  } catch (error) {
    return failed(`The input is not JSON: ${(error as Error).message}`);
  }
  return conversation.operate("call_skill_tool", skill, { skill, tool, input });
}

/** Without times, so that replayed sessions have the same output. */
function showLedger({ session }: TryConversation): Reply {
  const rows = session.ledger.entries.map(({ at: _at, type, ...details }) => `${type} ${JSON.stringify(details)}`);
  return done(rows.join("\n") || "No events yet.");
}

function helpText(): string {
  const rows = Object.entries(COMMANDS).map(([name, { parameters, about }]) => [
    [name, ...parameters].join(" "),
    about,
  ]);
  rows.push(["/NAME WORDS", "invoke a skill, as a user does at the start of a message"]);
  rows.push(["! LINE", "a line that is expected to fail"], ["# TEXT", "a comment"]);
  return rows.map(([usage = "", about]) => `${usage.padEnd(20)}  ${about}`).join("\n");
}
