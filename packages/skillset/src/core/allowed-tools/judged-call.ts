import type { JudgedCall, RuledSkill } from "./decide-call.ts";
import { type ToolCall, toToolCall } from "./tool-call.ts";

/** The host's names for tools, by the names that authors of skills write: `{ Bash: "shell" }`. */
export type ToolNames = Readonly<Record<string, string | readonly string[]>>;

/** A script is a command. Other skills know it below its skill's name, so `Bash(scripts/run.sh:*)` is never another skill's. */
export function scriptCall(skill: RuledSkill, script: string, args: readonly string[]): JudgedCall {
  return {
    readings: commandsFor(`${skill.name}/${script}`, args),
    // A script without a folder must not pass for a program.
    owner: { skill, readings: commandsFor(script.includes("/") ? script : `./${script}`, args) },
  };
}

/** The forms in which authors write a script: by its path, and after its interpreter. */
function commandsFor(script: string, args: readonly string[]): readonly ToolCall[] {
  const command = [script, ...args].map(quote).join(" ");
  const [, extension = ""] = /\.([a-z]+)$/i.exec(script) ?? [];
  const dotted = script.startsWith("./") ? [] : [`./${command}`];
  const started = (INTERPRETERS[extension.toLowerCase()] ?? []).map((program) => `${program} ${command}`);
  return [command, ...dotted, ...started].map((subject) => ({ tool: "Bash", subject }));
}

const INTERPRETERS: Readonly<Record<string, readonly string[]>> = {
  sh: ["bash", "sh"],
  bash: ["bash"],
  py: ["python", "python3"],
  js: ["node"],
  mjs: ["node"],
  cjs: ["node"],
  ts: ["node"],
  mts: ["node"],
  rb: ["ruby"],
  pl: ["perl"],
};

/** No shell reads the arguments, so one with shell characters is a plain text. */
function quote(word: string): string {
  return /^[\w@%+:,./=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`;
}

/** Other skills know a skill's tool as `skill__tool` only, so that it cannot pass for a tool of the host. */
export function skillToolCall(skill: RuledSkill, tool: string): JudgedCall {
  const qualified = { tool: `${skill.name}__${tool}` };
  return { readings: [qualified], owner: { skill, readings: [{ tool }, qualified] } };
}

/** A call of one of the host's own tools. */
export function hostCall(tool: string, input: unknown, names: ToolNames = {}): JudgedCall {
  const known = Object.keys(names).filter((name) => [names[name]].flat().includes(tool));
  // A host that uses an author's name for something else has said so.
  const own = Object.hasOwn(names, tool) ? [] : [tool];
  return { readings: [...new Set([...known, ...own])].map((name) => toToolCall(name, input)) };
}
