import { buildInput } from "./build-input.ts";
import { expectedRefusals, spelledPaths } from "./expected-refusals.ts";
import { planScripts } from "./plan-scripts.ts";
import { type FunctionTool, type OfflineRequest, READ, type SkillInstructions } from "./read-request.ts";

export interface PlannedCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** Calls that the instructions ask for and that are not done yet. */
export interface CallPlan {
  readonly calls: readonly PlannedCall[];
  /** Tools of the skill that the message lacks a value for. */
  readonly skipped: readonly { readonly tool: string; readonly field: string }[];
}

const MOST_READS = 4;
const MOST_CALLS = 3;

/** Files first, then scripts, then tools. Nothing is called twice in a turn, so every turn ends. */
export function planNext(request: OfflineRequest, instructions: SkillInstructions): CallPlan {
  const reads = planReads(request, instructions);
  const { calls, skipped } = planCalls(request, instructions);
  const scripts = planScripts(request, instructions);
  return { calls: [reads, scripts, calls].find((some) => some.length > 0) ?? [], skipped };
}

function planReads(request: OfflineRequest, { name, body, files }: SkillInstructions): readonly PlannedCall[] {
  if (!request.tools.some((tool) => tool.name === READ)) return [];
  const reads = request.calls.filter(({ tool, input }) => tool === READ && input.name === name);
  const started = reads.filter(({ isOfThisTurn }) => isOfThisTurn);
  const isDone = (path: string) =>
    started.some(({ input }) => input.path === path) ||
    reads.some(({ input, result }) => input.path === path && result?.isError === false && result.text !== "");
  const named = namedFiles(files, request.message, body);
  const left = named.filter((path) => !isDone(path)).slice(0, Math.max(0, MOST_READS - started.length));
  // Their own limit applies, and each is requested once in a turn.
  const more = [...expectedRefusals(body).map(({ path }) => path), ...spelledPaths(body, files)];
  const unasked = more.filter((path) => !started.some(({ input }) => input.path === path));
  return (left.length > 0 ? left : unasked).map((path) => ({ tool: READ, input: { name, path } }));
}

/** The files named in the message, then those named in the instructions, in the order they are named. */
export function namedFiles(files: readonly string[], message: string, body: string): readonly string[] {
  const baseName = (path: string) => path.slice(path.lastIndexOf("/") + 1);
  const isUnique = (base: string) => base.includes(".") && files.filter((path) => baseName(path) === base).length === 1;
  const inOrderOf = (text: string): string[] =>
    files
      .map((path) => {
        const base = baseName(path);
        const at = [path, ...(isUnique(base) ? [base] : [])].map((name) => placeOfFile(text, name));
        return { path, at: Math.min(...at.map((place) => (place === -1 ? Number.POSITIVE_INFINITY : place))) };
      })
      .filter(({ at }) => Number.isFinite(at))
      .sort((one, other) => one.at - other.at)
      .map(({ path }) => path);
  return [...new Set([...inOrderOf(message), ...inOrderOf(body)])];
}

function planCalls(request: OfflineRequest, { name, body }: SkillInstructions): CallPlan {
  const tools = toolsOf(request.tools, name)
    .map((tool) => ({ ...tool, at: placeOfTool(body, tool.title) }))
    .filter(({ at }) => at !== -1)
    .sort((one, other) => one.at - other.at);
  const started = request.calls.filter(
    ({ tool, isOfThisTurn }) => isOfThisTurn && tools.some((one) => one.name === tool),
  );
  const calls: PlannedCall[] = [];
  const skipped: { tool: string; field: string }[] = [];
  for (const tool of tools) {
    if (started.some((call) => call.tool === tool.name)) continue;
    const built = buildInput(tool.inputSchema, request.message);
    if (built.outcome === "missing") skipped.push({ tool: tool.title, field: built.field });
    else if (started.length + calls.length < MOST_CALLS) calls.push({ tool: tool.name, input: built.input });
  }
  return { calls, skipped };
}

/** Tool names start with the skill's name, in characters that every provider accepts. */
export function toolsOf(tools: readonly FunctionTool[], skill: string): (FunctionTool & { readonly title: string })[] {
  const prefix = `${skill.replace(/[^A-Za-z0-9_-]/g, "_")}__`;
  return tools
    .filter(({ name }) => name.startsWith(prefix) && name.length > prefix.length)
    .map((tool) => ({ ...tool, title: tool.name.slice(prefix.length) }));
}

/** Where a text names a file of the skill. A longer path that contains it does not match. */
function placeOfFile(text: string, path: string): number {
  return text.search(new RegExp(String.raw`(?<![\w./-])(?:\./)?${escapeRegExp(path)}(?![\w/-]|\.\w)`));
}

/** Where a text names a tool. Dots in its name are `_` in tool names for providers. */
function placeOfTool(text: string, title: string): number {
  return text.search(new RegExp(String.raw`(?<![\w-])${escapeRegExp(title).replace(/_/g, "[._]")}(?![\w-])`));
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
