import { estimateTokens } from "skillset";
import type { TextKind } from "../../shared/steps-api.ts";
import { digestOf } from "../chats/skill-outputs.ts";
import type { ProviderModel } from "../models/lazy-model.ts";
import type { AttachedText } from "./attached-texts.ts";
import type { KnownTexts } from "./known-texts.ts";
import { splitText } from "./split-text.ts";
import type { RequestRecipe, TextRecord } from "./step-record.ts";

export type ModelRequest = Parameters<ProviderModel["doStream"]>[0];

/** A string that starts with this represents texts: their numbers follow. JSON from providers does not contain it. */
export const MARK = "\u0001";

/** Turns the requests of one answer into recipes: texts become numbers, and skills are only named. */
export class RequestEncoder {
  readonly #known: KnownTexts;
  /** By the digest of all texts of a message together. */
  readonly #attached: ReadonlyMap<string, readonly AttachedText[]>;
  readonly #numbers = new Map<string, number>();
  /** The texts of all recipes so far. */
  readonly texts: TextRecord[] = [];
  /** The chat's own words in the recipes, by their digest. */
  readonly own = new Map<string, string>();
  #before: readonly string[] = [];
  #encoded: readonly unknown[] = [];
  /** The files that calls in the conversation read. */
  readonly #reads = new Map<string, { readonly skill: string; readonly path: string }>();

  /**
   * `known` has the texts of the user's messages. Other words of users are part of the recipe. `attached` has the texts
   * of each message with files.
   */
  constructor(known: KnownTexts, attached: readonly (readonly AttachedText[])[] = []) {
    this.#known = known;
    this.#attached = new Map(attached.map((texts) => [digestOf(texts.map(({ text }) => text).join("")), texts]));
  }

  encode(options: ModelRequest): RequestRecipe {
    const { prompt, tools, settings } = plainRequest(options);
    const first = this.texts.length;
    const written = prompt.map((message) => JSON.stringify(message));
    const same = commonStart(this.#before, written);
    const messages = prompt.slice(same).map((message) => this.#message(message));
    this.#before = written;
    this.#encoded = [...this.#encoded.slice(0, same), ...messages];
    const definitions = tools?.map((tool) => this.#own(JSON.stringify(tool), "tool"));
    return {
      digest: requestDigest({ prompt, tools, settings }),
      same,
      messages,
      tools: definitions,
      settings,
      texts: this.texts.slice(first),
    };
  }

  /** The estimated size of the last request. */
  tokensOf({ tools = [] }: RequestRecipe): number {
    return [...tools, ...numbersIn(this.#encoded)].reduce((sum, number) => sum + (this.texts[number]?.tokens ?? 0), 0);
  }

  #message(message: PlainMessage): unknown {
    const { role, content } = message;
    if (typeof content === "string") return { ...message, content: this.#split(content, "rules") };
    return withValue(message, "content", () => content.map((part) => this.#part(part, role)));
  }

  #part(part: PlainPart, role: string): unknown {
    const { type, text = "", input, output } = part;
    if (type === "text" && role === "user") return this.#with(part, "text", () => this.#question(text));
    if (type === "text" || type === "reasoning") {
      const kind = type === "text" ? "answer" : "reasoning";
      return this.#with(part, "text", () => MARK + this.#number(text, { kind }));
    }
    if (type === "tool-call") {
      this.#remember(part);
      return this.#with(part, "input", () => this.#walk(input, "call"));
    }
    if (type !== "tool-result") return this.#walk(part, "attachment");
    return this.#with(part, "output", () => {
      if (typeof output?.value !== "string") return this.#walk(output, "result");
      return { ...output, value: this.#result(part, output.value) };
    });
  }

  /** Encodes a part, and one of its values in another way. The order of its keys stays. */
  #with(part: PlainPart, key: keyof PlainPart, encode: () => unknown): unknown {
    const { [key]: _, ...others } = part;
    const walked = this.#walk(others, "attachment") as object;
    return withValue({ ...part, ...walked }, key, encode);
  }

  /** A message that is stored as it was sent is one text, whatever it looks like. Each attached file is one too. */
  #question(text: string): string {
    const digest = digestOf(text);
    if (this.#known.has(digest)) return MARK + this.#number(text, { kind: "question" });
    const attached = this.#attached.get(digest);
    return attached === undefined ? this.#split(text, "question") : this.#files(attached);
  }

  #files(attached: readonly AttachedText[]): string {
    const numbers = attached.map(({ name, text, source }) =>
      this.#number(text, { kind: "attachment", path: name, ...(source === undefined ? { words: text } : { source }) }),
    );
    return MARK + numbers.join(",");
  }

  /** Results of skills are named. Those of other tools are stored with the message. */
  #result({ toolName, toolCallId = "" }: PlainPart, text: string): string {
    if (toolName === ACTIVATE) return this.#split(text, "result");
    const file = toolName === READ_FILE ? { kind: "file" as const, ...this.#reads.get(toolCallId) } : undefined;
    return MARK + this.#number(text, file ?? { kind: "result" });
  }

  #remember({ toolName, toolCallId = "", input }: PlainPart): void {
    if (toolName !== READ_FILE) return;
    const { name, path } = (input ?? {}) as { readonly name?: unknown; readonly path?: unknown };
    this.#reads.set(toolCallId, { skill: String(name), path: String(path) });
  }

  /** Replaces long strings, which are stored with the messages. */
  #walk(value: unknown, kind: TextKind): unknown {
    if (typeof value === "string") {
      const isShort = value.length < SHORT && !value.startsWith(MARK);
      return isShort ? value : MARK + this.#number(value, { kind });
    }
    if (Array.isArray(value)) return value.map((one) => this.#walk(one, kind));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, this.#walk(one, kind)]));
  }

  #split(text: string, rest: TextKind): string {
    const numbers = splitText(text, rest).map(({ kind, text: piece, skill }) => {
      if (kind === "rules") return this.#own(piece, kind);
      // Notices have names and descriptions, never instructions. Other words that no message has join the two.
      const isLoose = kind === "notice" || (kind === "question" && !this.#known.has(digestOf(piece)));
      const words = isLoose && piece.length <= LONGEST_WORDS ? piece : undefined;
      return this.#number(piece, {
        kind,
        ...(skill !== undefined && { skill }),
        ...(words !== undefined && { words }),
      });
    });
    return MARK + numbers.join(",");
  }

  #own(text: string, kind: TextKind): number {
    this.own.set(digestOf(text), text);
    return this.#number(text, { kind });
  }

  #number(text: string, about: Omit<TextRecord, "digest" | "tokens">): number {
    const key = `${about.kind} ${about.skill ?? ""} ${about.path ?? ""}\n${text}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.texts.length;
    this.texts.push({ digest: digestOf(text), tokens: estimateTokens(text), ...about });
    this.#numbers.set(key, number);
    return number;
  }
}

const ACTIVATE = "skills_activate";
const READ_FILE = "skills_read_resource";
/** Characters. Ids, names and short arguments stay as they are. */
const SHORT = 80;
const LONGEST_WORDS = 8_000;

interface PlainPart {
  readonly type: string;
  readonly text?: string;
  readonly toolName?: string;
  readonly toolCallId?: string;
  readonly input?: unknown;
  readonly output?: { readonly value?: unknown };
  readonly filename?: string;
}

export interface PlainMessage {
  readonly role: string;
  readonly content: string | readonly PlainPart[];
}

/** A request as JSON, in the order of its digest. */
export interface PlainRequest {
  readonly prompt: readonly PlainMessage[];
  readonly tools: readonly unknown[] | undefined;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** A request without what is not sent: signals and headers. The data of attachments is replaced by its digest. */
function plainRequest({ prompt, tools, abortSignal: _, headers: __, ...settings }: ModelRequest): PlainRequest {
  return JSON.parse(JSON.stringify({ prompt: prompt.map(withoutData), tools, settings })) as PlainRequest;
}

function withoutData(message: ModelRequest["prompt"][number]): unknown {
  if (typeof message.content === "string") return message;
  const content = message.content.map((part) => {
    if (part.type !== "file" || part.data.type !== "data") return part;
    const { data } = part.data;
    const bytes = typeof data === "string" ? Buffer.from(data, "base64") : Buffer.from(data);
    return { ...part, data: { type: "data", bytes: bytes.length, digest: digestOf(bytes.toString("base64")) } };
  });
  return { ...message, content };
}

export function writeRequest({ prompt, tools, settings }: PlainRequest): string {
  return JSON.stringify({ prompt, ...(tools !== undefined && { tools }), ...settings });
}

export function requestDigest(request: PlainRequest): string {
  return digestOf(writeRequest(request));
}

function withValue<Value extends object>(value: Value, key: keyof Value, encode: () => unknown): unknown {
  return key in value ? { ...value, [key]: encode() } : value;
}

function commonStart(before: readonly string[], after: readonly string[]): number {
  const end = after.findIndex((one, index) => one !== before[index]);
  return end < 0 ? after.length : end;
}

/** The numbers of all texts in an encoded value, in order. */
export function numbersIn(value: unknown): readonly number[] {
  if (typeof value === "string") return value.startsWith(MARK) ? value.slice(1).split(",").map(Number) : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(numbersIn);
}
