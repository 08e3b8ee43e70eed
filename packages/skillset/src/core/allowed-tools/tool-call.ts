/** A call of a tool, under a name that skills' authors write. */
export interface ToolCall {
  /** Case-sensitive: `Bash`, `Read`, `mcp__github__create_issue`. */
  readonly tool: string;
  /** The command line, path or domain. Undefined if the tool has none, or if it is not known with certainty. */
  readonly subject?: string | undefined;
  /** The folder that the input names for a command. */
  readonly folder?: string | undefined;
}

/** What a specifier in parentheses is compared with. */
export type SubjectKind = "command" | "path" | "domain" | "text";

export function kindOf(tool: string): SubjectKind {
  return isKnownTool(tool) ? KINDS[tool] : "text";
}

/** The tools whose subject is known, by the names that authors of skills write. */
const KINDS = {
  Bash: "command",
  Read: "path",
  Edit: "path",
  Write: "path",
  MultiEdit: "path",
  NotebookEdit: "path",
  Glob: "path",
  Grep: "path",
  LS: "path",
  WebFetch: "domain",
} as const satisfies Readonly<Record<string, SubjectKind>>;

export type KnownTool = keyof typeof KINDS;

function isKnownTool(tool: string): tool is KnownTool {
  return Object.hasOwn(KINDS, tool);
}

/** Returns the call of a tool with this input. A field that might change what the call does leaves the subject unknown. */
export function toToolCall(tool: string, input: unknown): ToolCall {
  if (typeof input !== "object" || input === null) return { tool };
  const kind = kindOf(tool);
  const used = usedFields(input);
  const isFolder = (name: string): boolean => kind === "command" && FOLDERS.includes(name);
  const isKnown = (name: string): boolean => FIELDS[kind].includes(name) || isFolder(name);
  if (used.some(([name, value]) => !isKnown(name) && !isHarmless(tool, name, value))) return { tool };
  const folder = onlyText(used.filter(([name]) => isFolder(name)));
  const text = onlyText(used.filter(([name]) => FIELDS[kind].includes(name)));
  if (typeof text !== "string" || folder === null) return { tool };
  const subject = kind === "domain" ? hostOf(text) : text;
  return { tool, subject, ...(folder !== undefined && { folder }) };
}

/** Returns the value of fields; undefined without any, `null` for two different values or one that is not a string. */
function onlyText(fields: readonly Field[]): string | null | undefined {
  const [value, ...others] = new Set(fields.map(([, one]) => one));
  if (value === undefined) return undefined;
  return typeof value === "string" && others.length === 0 ? value : null;
}

/** Whether an input names a subject of this kind, certain or not. */
export function namesSubject(kind: SubjectKind, input: object): boolean {
  return usedFields(input).some(([name]) => FIELDS[kind].includes(name));
}

/** Models that must name every field send null for those that they do not use. */
function usedFields(input: object): readonly Field[] {
  const fields = Object.entries(input).map(
    ([name, value]) => [name.toLowerCase().replace(/[_-]/g, ""), value] as const,
  );
  return fields.filter(([, value]) => value !== undefined && value !== null);
}

type Field = readonly [name: string, value: unknown];

/** The names under which tools take a subject, in lower case and without `_`. A folder beside a path makes it uncertain. */
const FIELDS: Readonly<Record<SubjectKind, readonly string[]>> = {
  command: ["command", "commands", "cmd", "cmds", "commandline", "shellcommand", "script", "code"],
  path: [
    ...["path", "paths", "filepath", "filepaths", "file", "files", "filename", "filenames", "absolutepath", "abspath"],
    ...["notebookpath", "relativepath", "relativeworkspacepath", "targetfile", "targetpath", "target", "uri", "root"],
    ...["source", "sourcepath", "sourcefile", "oldpath", "newpath", "destination", "destinationpath", "dest"],
    ...["output", "outputpath", "outputfile", "cwd", "workdir", "directory", "directorypath", "dirpath", "dir"],
    ...["folder"],
  ],
  domain: ["url", "urls", "uri", "href", "link", "address", "domain", "hostname", "baseurl"],
  text: [],
};

/** Fields for the folder in which a command runs. */
const FOLDERS = ["cwd", "workdir", "workingdirectory", "workingdir", "directory", "dirpath", "dir", "folder"];

/** Whether a field certainly changes neither what a call does nor where: other fields may, such as `env` and `args`. */
function isHarmless(tool: string, name: string, value: unknown): boolean {
  const kind = kindOf(tool);
  const isGlob = kind === "path" && GLOBS.includes(name) && !(tool === "Grep" && TEXT_OF_GREP.includes(name));
  if (isGlob) return [value].flat().every(staysBelow);
  if (!ANY.includes(name) && !HARMLESS[kind].includes(name)) return false;
  // Such as a list of edits.
  const inner = [value].flat().filter((one) => typeof one === "object" && one !== null && !ANY_VALUE.includes(name));
  const fields = inner.flatMap((one) => usedFields(one as object));
  return fields.every(([field, part]) => typeof part !== "object" && isHarmless(tool, field, part));
}

/** Text for people, and a time. */
const ANY = [
  ...["description", "explanation", "justification", "reason", "summary", "thought", "title", "timeout", "timeoutms"],
];

/** In which sandbox a command runs is not decided here. */
const ANY_VALUE = ["additionalpermissions", "prefixrule"];

/** For other tools, these are names of files. */
const TEXT_OF_GREP = ["pattern", "query"];

/** What the tools of agents and common libraries take, in lower case and without `_` and `-`. */
const HARMLESS: Readonly<Record<SubjectKind, readonly string[]>> = {
  command: [
    ...["timeoutseconds", "runinbackground", "isbackground", "background", "delayms", "yieldtimems", "wait"],
    ...["maxwaitseconds", "maxoutputtokens", "maxoutputlength", "tty", "login", "restart", "goal", "interactive"],
    ...["sandboxpermissions", "withescalatedpermissions", "dangerouslydisablesandbox", "requiresapproval"],
    ...["requireuserapproval", ...ANY_VALUE],
  ],
  path: [
    ...["content", "contents", "text", "filetext", "insertline", "inserttext", "oldstring", "newstring", "oldstr"],
    ...["newstr", "oldtext", "newtext", "replaceall", "allowmultiple", "expectedreplacements", "edits", "instruction"],
    ...["instructions", "diff", "newsource", "cellid", "celltype", "cellnumber", "editmode", "overwrite", "append"],
    ...["offset", "limit", "pages", "startline", "endline", "viewrange", "encoding", "head", "tail", "maxbytes"],
    ...["maxlines", "a", "b", "c", "i", "n", "o", "context", "after", "before", "casesensitive", "caseinsensitive"],
    ...["fixedstrings", "literal", "multiline", "type", "outputmode", "headlimit", "maxresults", "namesonly"],
    ...["maxmatchesperfile", "totalmaxmatches", "noignore", "ignore", "ignorecase", "exclude", "excludepattern"],
    ...["recursive", "depth", "sort", "usedefaultexcludes", "respectgitignore", "respectgeminiignore"],
    ...["filefilteringoptions", "regex", ...TEXT_OF_GREP],
  ],
  domain: ["prompt", "format", "method", "body", "raw", "maxlength", "maxchars", "startindex"],
  text: [],
};

/** Fields with patterns for paths. */
const GLOBS = [
  ...["patterns", "glob", "globs", "globpattern", "include", "includes", "includepattern", ...TEXT_OF_GREP],
];

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
