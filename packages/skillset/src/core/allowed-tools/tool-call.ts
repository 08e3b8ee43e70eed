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
  return { tool, subject: subjectOf(kindOf(tool), input) };
}

/** Two different values, or a value that is not a string, leave the subject unknown. */
function subjectOf(kind: SubjectKind, input: unknown): string | undefined {
  if (typeof input !== "object" || input === null) return undefined;
  const fields = new Map(Object.entries(input));
  const values = FIELDS[kind].filter((name) => fields.has(name)).map((name) => fields.get(name));
  const [value] = values;
  if (typeof value !== "string" || new Set(values).size !== 1) return undefined;
  return kind === "domain" ? hostOf(value) : value;
}

/** The names under which tools take a subject. A folder beside a path makes the path uncertain. */
const FIELDS: Readonly<Record<SubjectKind, readonly string[]>> = {
  // A command with variables or on another machine is not the command that it seems.
  command: ["command", "cmd", "commandLine", "command_line", "script", "env", "host"],
  path: [
    ...["path", "file_path", "filePath", "filepath", "file", "filename", "absolute_path", "absolutePath"],
    ...["notebook_path", "abs_path", "paths", "files", "new_path", "newPath", "destination", "cwd", "directory", "dir"],
  ],
  domain: ["url", "uri", "domain", "urls"],
  text: [],
};

function hostOf(text: string): string | undefined {
  if (/^[a-z0-9.-]+$/i.test(text)) return text.toLowerCase();
  try {
    const { protocol, hostname } = new URL(text);
    return protocol === "https:" || protocol === "http:" ? hostname : undefined;
  } catch {
    return undefined;
  }
}
