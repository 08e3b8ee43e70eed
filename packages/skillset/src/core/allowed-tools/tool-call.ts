/** A call of a tool, under a name that skills' authors write. */
export interface ToolCall {
  /** Case-sensitive: `Bash`, `Read`, `mcp__github__create_issue`. */
  readonly tool: string;
  /** The command line, path or domain. Undefined if the tool has none, or if it is not known with certainty. */
  readonly subject?: string | undefined;
}

/** What a specifier in parentheses is compared with. */
export type SubjectKind = "command" | "path" | "domain" | "text";

export function kindOf(tool: string): SubjectKind {
  return KINDS.get(tool) ?? "text";
}

const KINDS: ReadonlyMap<string, SubjectKind> = new Map([
  ["Bash", "command"],
  ...["Read", "Edit", "Write", "MultiEdit", "NotebookEdit", "Glob", "Grep", "LS"].map(
    (name) => [name, "path"] as const,
  ),
  ["WebFetch", "domain"],
]);

/** Returns the call of a tool with this input. */
export function toToolCall(tool: string, input: unknown): ToolCall {
  return { tool, subject: subjectOf(tool, input) };
}

/** Two different values, or a value that is not a string, leave the subject unknown. */
function subjectOf(tool: string, input: unknown): string | undefined {
  if (typeof input !== "object" || input === null) return undefined;
  const kind = kindOf(tool);
  const used = usedFields(input);
  if (used.some(([name]) => CHANGES[kind].includes(name))) return undefined;
  if (tool === "Glob" && used.some(([name, value]) => name === "pattern" && !staysBelow(value))) return undefined;
  const values = new Set(used.filter(([name]) => FIELDS[kind].includes(name)).map(([, value]) => value));
  const [value] = values;
  if (typeof value !== "string" || values.size !== 1) return undefined;
  return kind === "domain" ? hostOf(value) : value;
}

/** Whether an input names a subject of this kind, certain or not. */
export function namesSubject(kind: SubjectKind, input: object): boolean {
  return usedFields(input).some(([name]) => FIELDS[kind].includes(name));
}

/** Models that must name every field send null for those that they do not use. */
function usedFields(input: object): readonly (readonly [name: string, value: unknown])[] {
  const fields = Object.entries(input).map(
    ([name, value]) => [name.toLowerCase().replace(/[_-]/g, ""), value] as const,
  );
  return fields.filter(([, value]) => value !== undefined && value !== null);
}

/** The names under which tools take a subject, in lower case and without `_`. A folder beside a path makes it uncertain. */
const FIELDS: Readonly<Record<SubjectKind, readonly string[]>> = {
  command: ["command", "commands", "cmd", "commandline", "script", "code"],
  path: [
    ...["path", "paths", "filepath", "filepaths", "file", "files", "filename", "filenames", "absolutepath", "abspath"],
    ...["notebookpath", "relativepath", "relativeworkspacepath", "targetfile", "targetpath", "target", "uri", "root"],
    ...["source", "sourcepath", "sourcefile", "oldpath", "newpath", "destination", "destinationpath", "dest"],
    ...["output", "outputpath", "outputfile", "cwd", "workdir", "directory", "directorypath", "dir", "folder"],
  ],
  domain: ["url", "urls", "uri", "href", "link", "address", "domain", "hostname", "baseurl"],
  text: [],
};

/** Fields that change what a call does: a command with other variables or on another machine is not what it seems. */
const CHANGES: Readonly<Record<SubjectKind, readonly string[]>> = {
  command: [
    ...["args", "arguments", "argv", "stdin", "input", "env", "environment", "environmentvariables", "variables"],
    ...["shell", "interpreter", "executable", "program", "host"],
  ],
  path: [],
  domain: ["host", "proxy"],
  text: [],
};

/** Whether a glob certainly matches only below its folder. */
function staysBelow(pattern: unknown): boolean {
  if (typeof pattern !== "string" || pattern.includes("\\")) return false;
  // In braces and groups, `.{.,}` is also `..`, and each alternative may begin at the root.
  const plain = pattern.replace(/[^./~:\p{L}\p{N}]/gu, "");
  return !plain.includes("..") && !/^[a-z]:/i.test(plain) && !/(?:^|[{(|,!@+?])\s*[/~]/.test(pattern);
}

/** Programs disagree about the host of an address with a backslash, a user or white space. */
function hostOf(text: string): string | undefined {
  const [, host = text] = /^https?:\/\/([^/?#]*)/i.exec(text) ?? [];
  if (/[\\\s\x00-\x1f]/.test(text) || !/^[a-z0-9.-]+(?::\d{1,5})?$/i.test(host)) return undefined;
  return host.replace(/:\d+$/, "").toLowerCase();
}
