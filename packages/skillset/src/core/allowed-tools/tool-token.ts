import { compileStars } from "../text/star-pattern.ts";
import { compilePath, type PathBases } from "./path-pattern.ts";
import { splitCommand } from "./split-command.ts";
import { exactly, NOTHING, type SubjectTest } from "./subject-test.ts";
import { kindOf, type SubjectKind, type ToolCall } from "./tool-call.ts";

/** A token of `allowed-tools` or `disallowed-tools`: `Read`, `Bash(git:*)`, `mcp__server`. */
export interface ToolToken {
  /** As written. */
  readonly text: string;
  /** Whether the call is certainly one that the token names. */
  covers(call: ToolCall): boolean;
  /** Whether the call might be one that the token names. */
  mayCover(call: ToolCall): boolean;
}

/** Parses a token. An invalid one covers nothing. */
export function parseToolToken(text: string, bases: PathBases = {}): ToolToken {
  const [, name = "", specifier] = /^([^\s()]+)(?:\(([\s\S]*)\))?$/.exec(text.trim()) ?? [];
  const isNamed = nameTest(name);
  if (specifier === undefined || specifier.trim() === "*") {
    const covers = ({ tool }: ToolCall): boolean => isNamed(tool);
    return { text, covers, mayCover: covers };
  }
  const { certain, possible } = compileSpecifier(kindOf(name), specifier.trim(), bases);
  const mayRunIn = namesFile(specifier.trim()) ? isFolder(bases.cwd) : () => true;
  return {
    text,
    covers: ({ tool, subject, folder }) =>
      isNamed(tool) && subject !== undefined && mayRunIn(folder) && certain(subject),
    mayCover: ({ tool, subject }) => isNamed(tool) && (subject === undefined || possible(subject)),
  };
}

/** Whether the tokens of one skill cover a call together: each command of a line needs one of them. */
export function isCovered(tokens: readonly ToolToken[], call: ToolCall): boolean {
  if (tokens.some((token) => token.covers(call))) return true;
  const { tool, subject, folder } = call;
  if (subject === undefined || kindOf(tool) !== "command") return false;
  const commands = splitCommand(subject);
  return commands?.every(({ text }) => tokens.some((token) => token.covers({ tool, subject: text, folder }))) ?? false;
}

/** Whether a command is another one in another folder: one with a relative path, or with a file for an interpreter. */
function namesFile(specifier: string): boolean {
  const words = specifier.split(/[\s"'=]/);
  return words.some((word) => /^[^/~][^/]*\//.test(word) && !word.includes("://")) || RUNS_FILE.test(specifier);
}

const RUNS_FILE = /^(?:bash|sh|python3?|node|ruby|perl)\s+[^-/~\s*]/;

/** Tests the folder of a command, if its input names one. */
function isFolder(cwd: string | undefined): (folder: string | undefined) => boolean {
  const plain = (path: string): string => path.replace(/(?<!\/)\/+$/, "");
  return (folder) =>
    folder === undefined ||
    folder === "" ||
    plain(folder) === "." ||
    (cwd !== undefined && plain(folder) === plain(cwd));
}

/** `*` is every tool. `mcp__server` is every tool of a server, and `mcp__server__get_*` those whose names match. */
function nameTest(name: string): (tool: string) => boolean {
  if (name === "*") return () => true;
  const [, server, tools = "*"] = /^(mcp__(?:(?!__)[^*])+)(?:__(.+))?$/.exec(name) ?? [];
  if (server === undefined) return (tool) => tool === name && name !== "";
  const start = `${server}__`;
  const isTool = compileStars(tools);
  return (tool) => tool.startsWith(start) && tool !== start && isTool(tool.slice(start.length));
}

function compileSpecifier(kind: SubjectKind, specifier: string, bases: PathBases): SubjectTest {
  if (specifier === "" || specifier === ":*") return NOTHING;
  if (kind === "command") return compileCommand(specifier);
  if (kind === "path") return compilePath(specifier, bases);
  if (kind === "text") return exactly(compileStars(specifier));
  const [, domain] = /^domain:(.+)$/.exec(specifier) ?? [];
  if (domain === undefined) return NOTHING;
  const isDomain = compileStars(domain.toLowerCase());
  return exactly((subject) => /^[a-z0-9.-]+$/i.test(subject) && isDomain(subject.toLowerCase()));
}

/** `git:*` and `git *` are the command `git` with any arguments. Every command of a line must match. */
function compileCommand(specifier: string): SubjectTest {
  const [, prefix] = /^([\s\S]+?)(?::\*|(?<!\s)\s+\*)$/.exec(specifier) ?? [];
  const isWhole = compileStars(prefix ?? specifier);
  const isStart = prefix === undefined ? () => false : compileStars(`${prefix} *`);
  const isMatch = (command: string): boolean => isWhole(command) || isStart(command);
  return {
    certain: (line) => splitCommand(line)?.every(({ text }) => isMatch(text)) ?? false,
    possible: (line) => splitCommand(line)?.some(({ text, unquoted }) => isMatch(text) || isMatch(unquoted)) ?? true,
  };
}
