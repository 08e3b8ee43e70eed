import type { RebuiltRequest, RequestMessage, RequestText, RequestTool } from "../../shared/steps-api.ts";
import { digestOf } from "../chats/skill-outputs.ts";
import type { SkillRegistry } from "../skills/loaded-skills.ts";
import { MARK, numbersIn, type PlainMessage, requestDigest, writeRequest } from "./encode-request.ts";
import type { KnownTexts } from "./known-texts.ts";
import type { TextRecord } from "./step-record.ts";
import type { OpenedRecipe } from "./steps-view.ts";

export interface RebuildOptions {
  readonly step: number;
  readonly known: KnownTexts;
  readonly registry: SkillRegistry | undefined;
}

/** Rebuilds a request from its recipe. A message replaces each text that no longer exists. */
export async function rebuildRequest(
  recipe: OpenedRecipe,
  { step, known, registry }: RebuildOptions,
): Promise<RebuiltRequest> {
  const used = new Set([...(recipe.tools ?? []), ...numbersIn(recipe.all)]);
  const texts = new Map<number, RequestText>();
  for (const number of used) {
    const record = recipe.known[number];
    if (record !== undefined) texts.set(number, await resolve(record, known, registry));
  }
  const decode = (value: unknown): unknown => {
    if (typeof value === "string") {
      return value.startsWith(MARK)
        ? numbersIn(value)
            .map((number) => texts.get(number)?.text ?? "")
            .join("")
        : value;
    }
    if (Array.isArray(value)) return value.map(decode);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, decode(one)]));
  };
  const tools = recipe.tools?.map((number) => parse(texts.get(number)));
  const prompt = recipe.all.map(decode) as PlainMessage[];
  const request = { prompt, tools, settings: recipe.settings };
  const isExact = requestDigest(request) === recipe.digest;
  const missing = [...texts.values()].flatMap(({ isMissing, text }) => (isMissing ? [text.slice(1, -1)] : []));
  return {
    step,
    isExact,
    reasons: isExact ? [] : [...new Set(missing)],
    digest: recipe.digest,
    messages: recipe.all.map((message) => viewMessage(message as PlainMessage, texts, decode)),
    tools: (recipe.tools ?? []).map((number) => viewTool(texts.get(number))),
    json: writeRequest(request),
  };
}

async function resolve(
  { digest, kind, skill, path, tokens, words }: TextRecord,
  known: KnownTexts,
  registry: SkillRegistry | undefined,
): Promise<RequestText> {
  const about = { kind, skill, path, tokens };
  const text = words ?? known.get(digest);
  if (text !== undefined) return { ...about, text, isMissing: false };
  return { ...about, text: await absence({ digest, kind, skill, path }, registry), isMissing: true };
}

/** Says why a text is not shown. */
async function absence(
  { digest, kind, skill, path }: Pick<TextRecord, "digest" | "kind" | "skill" | "path">,
  registry: SkillRegistry | undefined,
): Promise<string> {
  if (kind === "catalog") return "[The catalog has changed since. Its text is not stored.]";
  if (kind === "attachment" && path !== undefined) return `[The attached file '${path}' is no longer stored.]`;
  if (skill === undefined) return "[This text is not stored with the chat.]";
  if (isScriptFile(path)) return `[A script wrote '${path}'. Its text is not stored.]`;
  if (registry?.current.has(skill) !== true)
    return `[The skill '${skill}' is not available. Its texts are not stored.]`;
  const preview = await registry.preview(skill).catch(() => undefined);
  if (kind === "instructions" && (preview?.skill.toolsets ?? []).length > 0) {
    return `[The instructions of '${skill}' contained tools that were loaded for this answer. They cannot be rebuilt.]`;
  }
  const now = kind === "file" ? await preview?.read(path ?? "").catch(() => undefined) : preview;
  const what = kind === "file" ? `'${path}' of the skill '${skill}'` : `The skill '${skill}'`;
  if (now === undefined) return `[${what} no longer exists. Its text is not stored.]`;
  return `[${what} has changed since (${brief(digest)} → ${brief(digestOf(now.text))}). The text of that time is not stored.]`;
}

/** Whether a path names a file that a script wrote, in place of one of a skill. */
export function isScriptFile(path: string | undefined): boolean {
  return path !== undefined && /^\$(?:OUTPUT_DIR|\{OUTPUT_DIR\})\//.test(path);
}

function brief(digest: string): string {
  return `${digest.replace("sha256:", "").slice(0, 8)}…`;
}

/** The texts of a message, one after the other, without those that only separate others. */
function viewMessage(
  { role, content }: PlainMessage,
  texts: ReadonlyMap<number, RequestText>,
  decode: (value: unknown) => unknown,
): RequestMessage {
  if (typeof content === "string") return { role, texts: textsIn(content, texts) };
  const viewed = content.flatMap((part): readonly RequestText[] => {
    const { type, text, toolName: tool, input, output, filename: path } = part;
    if (type === "text" || type === "reasoning") return textsIn(text, texts);
    if (type === "tool-call") return [{ ...plain("call", JSON.stringify(decode(input), null, 2)), tool }];
    if (type !== "tool-result") return [{ ...plain("attachment", JSON.stringify(decode(part), null, 2)), path }];
    if (typeof output?.value === "string") return textsIn(output.value, texts).map((one) => ({ ...one, tool }));
    return [{ ...plain("result", JSON.stringify(decode(output), null, 2)), tool }];
  });
  return { role, texts: viewed };
}

function textsIn(encoded: unknown, texts: ReadonlyMap<number, RequestText>): readonly RequestText[] {
  return numbersIn(encoded).flatMap((number) => {
    const text = texts.get(number);
    return text === undefined || text.text.trim() === "" ? [] : [text];
  });
}

function plain(kind: RequestText["kind"], text: string): RequestText {
  return { kind, text, tokens: 0, isMissing: false };
}

function viewTool(text: RequestText | undefined): RequestTool {
  const { name = "?", description = "" } = parse(text) as { readonly name?: string; readonly description?: string };
  return { name, description, tokens: text?.tokens ?? 0, definition: JSON.stringify(parse(text), null, 2) };
}

function parse(text: RequestText | undefined): object {
  return text === undefined || text.isMissing ? {} : (JSON.parse(text.text) as object);
}
