import { nearestWord } from "../../core/text/nearest-word.ts";
import { printable } from "../terminal/printable.ts";
import { done, failed, type Reply, type TryConversation } from "./try-conversation.ts";

/** A line taken apart: what to do, and whether it must fail. */
export interface TryLine {
  readonly mustFail: boolean;
  readonly text: string;
}

export interface TryCommand {
  /** The last one takes the rest of the line. */
  readonly parameters: readonly Parameter[];
  readonly about: string;
  run(conversation: TryConversation, values: readonly string[]): Promise<Reply> | Reply;
}

export type Parameter = "NAME" | "PATH" | "TOOL" | "JSON";

/** The line without the mark that it must fail; nothing for a blank one or a comment. */
export function parseLine(line: string): TryLine | undefined {
  const text = line.trim();
  if (text === "" || text.startsWith("#")) return undefined;
  const mustFail = text.startsWith("!");
  return { mustFail, text: mustFail ? text.slice(1).trimStart() : text };
}

/** Does what one line says. Whatever goes wrong is a reply too. */
export async function runLine(conversation: TryConversation, text: string): Promise<Reply> {
  if (text.startsWith("/")) return conversation.invoke(text);
  const [, name = "", rest = ""] = /^(\S*)\s*([\s\S]*)$/.exec(text) ?? [];
  const command = findCommand(name);
  if (command === undefined) {
    const near = nearestWord(name, Object.keys(COMMANDS));
    return failed(`There is no '${name}' here; ${near === undefined ? "see 'help'." : `did you mean '${near}'?`}`);
  }
  const { parameters } = command;
  const values = splitWords(rest, parameters.length);
  if (values.length !== parameters.length) return failed(`It is '${[name, ...parameters].join(" ")}'.`);
  return command.run(conversation, values);
}

export function findCommand(name: string): TryCommand | undefined {
  return Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
}

/** Words of a text, at most so many: the last one is the rest. No words for a text where none are wanted is none. */
export function splitWords(text: string, most: number): string[] {
  if (text === "") return [];
  if (most <= 1) return [text];
  const [, word = "", rest = ""] = /^(\S+)\s*([\s\S]*)$/.exec(text) ?? [];
  return [word, ...splitWords(rest, most - 1)];
}

export const COMMANDS: Readonly<Record<string, TryCommand>> = {
  list: { parameters: [], about: "the skills, with their descriptions", run: listSkills },
  prompt: {
    parameters: [],
    about: "what the model is told first: the skills, and how to use them",
    run: async (conversation) => done((await conversation.prompt()) || "Nothing: no skill is available to a model."),
  },
  activate: {
    parameters: ["NAME"],
    about: "load a skill's instructions, as a model does",
    run: (conversation, [name = ""]) => conversation.operate("activate_skill", name, { name }),
  },
  files: {
    parameters: ["NAME"],
    about: "the files of a skill",
    run: (conversation, [name = ""]) => conversation.files(name),
  },
  read: {
    parameters: ["NAME", "PATH"],
    about: "read a skill's file, as a model does",
    run: (conversation, [skill = "", path]) => conversation.operate("read_skill_file", skill, { skill, path }),
  },
  call: { parameters: ["NAME", "TOOL", "JSON"], about: "call a skill's tool, as a model does", run: callTool },
  active: {
    parameters: [],
    about: "the skills that are active",
    run: ({ session: { active } }) => done(active.join("\n") || "No skill is active."),
  },
  deactivate: {
    parameters: ["NAME"],
    about: "say that a skill is no longer needed",
    run: (conversation, [name = ""]) => conversation.deactivate(name),
  },
  ledger: { parameters: [], about: "what has happened in this session", run: showLedger },
  help: { parameters: [], about: "this list", run: () => done(helpText()) },
  exit: { parameters: [], about: "leave, like Ctrl-D", run: () => ({ outcome: "left" }) },
};

function listSkills({ session }: TryConversation): Reply {
  const { skills } = session.skillset;
  const width = Math.max(0, ...skills.map(({ name }) => name.length));
  const rows = skills.map(({ name, description, modelInvocable }) => {
    const remark = modelInvocable ? "" : " (only people can invoke it)";
    return `${session.active.includes(name) ? "*" : " "} ${printable(name).padEnd(width)}  ${printable(description)}${remark}`;
  });
  return done(rows.join("\n") || "There are no skills: 'skillset list' says what was found.");
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

/** Without the times, so that a session that is replayed says the same. */
function showLedger({ session }: TryConversation): Reply {
  const rows = session.ledger.map(({ at: _at, type, ...details }) => `${type} ${JSON.stringify(details)}`);
  return done(rows.join("\n") || "Nothing has happened yet.");
}

function helpText(): string {
  const rows = Object.entries(COMMANDS).map(([name, { parameters, about }]) => [
    [name, ...parameters].join(" "),
    about,
  ]);
  rows.push(["/NAME WORDS", "invoke a skill, as a person does at the start of a message"]);
  rows.push(["! LINE", "a line that must fail"], ["# WORDS", "a remark"]);
  return rows.map(([usage = "", about]) => `${usage.padEnd(20)}  ${about}`).join("\n");
}
