import type { LanguageModel } from "ai";

export type OfflineLanguageModel = Extract<LanguageModel, { specificationVersion: "v4" }>;
export type CallOptions = Parameters<OfflineLanguageModel["doGenerate"]>[0];
export type FunctionTool = Extract<NonNullable<CallOptions["tools"]>[number], { type: "function" }>;

export const ACTIVATE = "skills_activate";
export const READ = "skills_read_resource";
export const RUN = "skills_run_script";
export const SEARCH = "skills_search";

/** A request as the offline model reads it. */
export interface OfflineRequest {
  /** The user's last message, without the instructions that came with it. */
  readonly message: string;
  /** The skill that the user invoked: its instructions came with the message. */
  readonly invoked: string | undefined;
  /** The listed skills, and those that searches of the conversation found. */
  readonly catalog: readonly CatalogEntry[];
  /** All instructions in the request, by skill name. */
  readonly instructions: ReadonlyMap<string, SkillInstructions>;
  /** The active skills, in order of activation. */
  readonly active: readonly string[];
  readonly tools: readonly FunctionTool[];
  /** Earlier answers. */
  readonly answers: readonly string[];
  /** All tool calls in the conversation. */
  readonly calls: readonly PastCall[];
  /** The files of the conversation that scripts can read, the newest first. */
  readonly files: readonly AttachedFile[];
}

/** A file that the user attached. */
export interface AttachedFile {
  readonly name: string;
  /** Its path as scripts name it, such as `$OUTPUT_DIR/sales.csv`. */
  readonly path: string;
}

export interface CatalogEntry {
  readonly name: string;
  readonly description: string;
}

export interface SkillInstructions {
  readonly name: string;
  readonly body: string;
  readonly files: readonly string[];
}

export interface PastCall {
  readonly id: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Whether the call belongs to the last message. */
  readonly isOfThisTurn: boolean;
  readonly result: { readonly isError: boolean; readonly text: string } | undefined;
}

export function readRequest({ prompt, tools = [], toolChoice }: CallOptions, useTools: boolean): OfflineRequest {
  const last = prompt.findLastIndex(({ role }) => role === "user");
  const system = prompt.map((message) => (message.role === "system" ? message.content : "")).join("\n");
  const written = prompt.map((message) => readFiles(message.role === "user" ? textOf(message.content) : ""));
  const asked = written.map(({ rest }) => readNotices(rest));
  const said = asked.map(({ rest }) => rest);
  const notices = asked.flatMap(({ notices }) => notices);
  const isInvoked = asked[last]?.isInvoked === true;
  const calls = readCalls(prompt, last);
  const activations = calls.filter(({ tool, result }) => tool === ACTIVATE && result?.isError === false);
  const inSystem = readBlocks(system);
  const inMessage = readBlocks(said[last] ?? "");
  const [again = "", repeated] = ALREADY_ACTIVE.exec(inMessage.rest) ?? [];
  const inResults = activations.flatMap(({ result }) => readBlocks(result?.text ?? "").blocks);
  const all = [
    ...said.flatMap((text) => readBlocks(text).blocks),
    ...inResults,
    ...inSystem.blocks,
    ...inMessage.blocks,
  ];
  const listed = [inSystem.rest, ...notices].flatMap(readCatalogs);
  const found = calls.flatMap(({ tool, result }) => (tool === SEARCH ? readFound(result?.text ?? "") : []));
  const catalog = new Map([...found, ...listed].map((entry) => [entry.name, entry]));
  const gone = readGoneNames(notices);
  const current = [
    ...readActiveNames(notices),
    ...inSystem.blocks.map(({ name }) => name),
    ...inMessage.blocks.map(({ name }) => name),
    ...activations.filter(({ isOfThisTurn }) => isOfThisTurn).map(({ input }) => String(input.name)),
  ];
  return {
    message: inMessage.rest.slice(again.length).trim(),
    // The skill that the user invoked comes first; repeated instructions follow the notice.
    invoked: isInvoked ? inMessage.blocks[0]?.name : repeated,
    catalog: [...catalog.values()].filter(({ name }) => !gone.has(name)),
    instructions: new Map(all.map((block) => [block.name, block])),
    active: [...new Set(current)].filter((name) => !gone.has(name)),
    tools: useTools && toolChoice?.type !== "none" ? tools.filter((tool) => tool.type === "function") : [],
    answers: prompt.flatMap((message) => (message.role === "assistant" ? [textOf(message.content)] : [])),
    calls,
    files: written.flatMap(({ files }) => files).reverse(),
  };
}

type Prompt = CallOptions["prompt"];
type ToolOutput = Extract<
  Extract<Prompt[number], { role: "tool" }>["content"][number],
  { type: "tool-result" }
>["output"];

function textOf(content: readonly { readonly type: string; readonly text?: string }[]): string {
  return content.map((part) => (part.type === "text" ? (part.text ?? "") : "")).join("\n");
}

/** Splits a message into the files that were attached to it and the rest. The content of files is not read. */
function readFiles(text: string): { readonly files: readonly AttachedFile[]; readonly rest: string } {
  const files = Array.from(text.matchAll(ATTACHMENTS), ([block]) =>
    Array.from(block.matchAll(ATTACHED), ([, name = "", path = ""]) => ({ name, path })),
  ).flat();
  return { files, rest: text.replace(ATTACHMENTS, "").trimEnd() };
}

const ATTACHMENTS = /^<attachments>\n(?:(?!^<attachments>$)[\s\S])*?^<\/attachments>$/gm;
const ATTACHED = /^<attachment name="([^"\n]*)" type="[^"\n]*" bytes="\d+" path="([^"\n]*)">$/gm;

function readCalls(prompt: Prompt, lastUser: number): PastCall[] {
  const results = new Map<string, PastCall["result"]>();
  for (const message of prompt) {
    if (message.role !== "tool" && message.role !== "assistant") continue;
    for (const part of message.content) {
      if (part.type === "tool-result") results.set(part.toolCallId, readOutput(part.output));
    }
  }
  return prompt.flatMap((message, index) => {
    if (message.role !== "assistant") return [];
    return message.content.flatMap((part): PastCall[] => {
      if (part.type !== "tool-call") return [];
      const input = typeof part.input === "object" && part.input !== null ? { ...part.input } : {};
      const { toolCallId: id, toolName: tool } = part;
      return [{ id, tool, input, isOfThisTurn: index > lastUser, result: results.get(id) }];
    });
  });
}

function readOutput(output: ToolOutput): PastCall["result"] {
  switch (output.type) {
    case "text":
    case "error-text":
      return { isError: output.type === "error-text", text: output.value };
    case "json":
    case "error-json":
      return { isError: output.type === "error-json", text: JSON.stringify(output.value) };
    case "execution-denied":
      return { isError: true, text: output.reason ?? "The call was not allowed." };
    case "content":
      return { isError: false, text: textOf(output.value) };
  }
}

const OPEN = '<skill_content name="';
const CLOSE = "</skill_content>";
/** The placeholder for instructions that were lost when the history was shortened. */
const STUB = "The instructions of this active skill were left out";

/** What replaces `/name` if the conversation already contains the instructions. */
const ALREADY_ACTIVE = /^Skill '(\S+)' is already active: its instructions are in this conversation\. Follow them\./;

/** Splits a text into instructions and the rest. */
function readBlocks(text: string): { readonly blocks: readonly SkillInstructions[]; readonly rest: string } {
  const blocks: SkillInstructions[] = [];
  let rest = "";
  let at = 0;
  for (;;) {
    const open = text.indexOf(OPEN, at);
    const nameEnd = open === -1 ? -1 : text.indexOf('">', open);
    const close = nameEnd === -1 ? -1 : text.indexOf(CLOSE, nameEnd);
    if (close === -1) return { blocks, rest: rest + text.slice(at) };
    rest += text.slice(at, open);
    const name = unescapeXml(text.slice(open + OPEN.length, nameEnd));
    const body = text.slice(nameEnd + 2, close).trim();
    if (!body.startsWith(STUB)) blocks.push({ name, ...splitFiles(body) });
    at = close + CLOSE.length;
  }
}

/** Takes the last file list of a block; earlier ones are part of the instructions. */
function splitFiles(text: string): { readonly body: string; readonly files: readonly string[] } {
  const start = text.endsWith("</skill_files>") ? text.lastIndexOf("<skill_files>") : -1;
  if (start === -1) return { body: text, files: [] };
  const listed = text.slice(start).matchAll(/^ {2}<file>(.*)<\/file>$/gm);
  return { body: text.slice(0, start).trim(), files: Array.from(listed, ([, path = ""]) => unescapeXml(path)) };
}

function unescapeXml(text: string): string {
  const signs: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };
  return text.replace(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => signs[name] ?? "");
}

/** A catalog is one line of JSON; skills that were added later are on another line. */
function readCatalogs(text: string): CatalogEntry[] {
  return text.split("\n").flatMap((line) => {
    if (!line.startsWith('{"available_skills":')) return [];
    try {
      const { available_skills: skills } = JSON.parse(line) as { available_skills: unknown };
      return Array.isArray(skills) ? skills.flatMap(readEntry) : [];
    } catch {
      return [];
    }
  });
}

/** An entry is one skill, or a group of names. */
function readEntry(value: unknown): CatalogEntry[] {
  const { name, names, description = "" } = (value ?? {}) as Readonly<Record<string, unknown>>;
  const listed = Array.isArray(names) ? names : [name];
  return listed.flatMap((one) => (typeof one === "string" ? [{ name: one, description: String(description) }] : []));
}

/** Reads the results of a search: one line of Markdown for each skill. */
function readFound(text: string): CatalogEntry[] {
  return text.split("\n").flatMap((line) => {
    const [, name, description = ""] = /^- \*\*((?:\\.|[^\\*])+)\*\*(?:: (.*))? \(matches: [^()]*\)$/.exec(line) ?? [];
    return name === undefined ? [] : [{ name: unescapeMarkdown(name), description: unescapeMarkdown(description) }];
  });
}

function unescapeMarkdown(text: string): string {
  return text.replace(/\\(.)/g, "$1");
}

/** Splits a message into the library's notices and the rest. */
function readNotices(text: string) {
  const notices = Array.from(text.matchAll(NOTICE), ([, notice = ""]) => notice);
  return { notices, rest: text.replace(NOTICE, ""), isInvoked: text.startsWith(OPEN) };
}

const NOTICE = /<skill_notice>\n((?:(?!<skill_notice>)[\s\S])*?)\n<\/skill_notice>\n*/g;

/** Reads the latest notice about active skills. */
function readActiveNames(notices: readonly string[]): string[] {
  const last = notices.findLast((notice) => /activated_skill_names\)|^No skill is active/m.test(notice)) ?? "";
  const [, line = ""] = /activated_skill_names\): (.+)/.exec(last) ?? [];
  return line.endsWith(".") ? line.slice(0, -1).split(", ") : [];
}

/** Skills that a notice reports as gone and no later notice as back. */
function readGoneNames(notices: readonly string[]): ReadonlySet<string> {
  const gone = new Set<string>();
  for (const notice of notices) {
    for (const { name } of readCatalogs(notice)) gone.delete(name);
    const [, names = ""] = /^These skills are gone: (.+)\.$/m.exec(notice) ?? [];
    for (const name of names.split(", ").filter(Boolean)) gone.add(name);
  }
  return gone;
}
