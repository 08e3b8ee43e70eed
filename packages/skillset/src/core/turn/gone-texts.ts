import { LIMITS } from "../base/limits.ts";
import type { SessionState } from "../conversation/state.ts";
import { OPERATION_IDS, OPERATIONS } from "../operations/all.ts";
import type { OperationOptions } from "../operations/bind-operations.ts";
import type { OperationId } from "../operations/operation-data.ts";
import { CLOSE_TAG, nameInTag, TAG_START } from "../session/activation.ts";
import type { Snapshot } from "../session/snapshot.ts";
import { unknownSkill } from "../session/unknown-skill.ts";
import type { SkillLookup } from "../skill/skill.ts";
import { escapeSkillTags } from "../text/escape.ts";
import { missingFunction, toolNameStart, toToolName } from "../tool/tool-name.ts";
import type { SentMessage, TurnCall, TurnResult } from "./turn.ts";

export interface GoneOptions {
  readonly operations?: OperationOptions | undefined;
  /** The host's functions: they decide themselves what their results contain. */
  readonly taken?: readonly string[] | undefined;
}

/** The skills that a conversation has, and those that it had. */
export interface HadSkills extends Pick<Snapshot, "state" | "active"> {
  readonly skillset: SkillLookup & Pick<Snapshot["skillset"], "entries">;
}

/**
 * Returns the messages without texts of skills that the session does not have any more: instructions, files and results.
 * One sentence replaces each. Disabling a skill must work at once, even if that costs a prompt cache.
 */
export function withoutGone(
  had: HadSkills,
  messages: readonly SentMessage[],
  options: GoneOptions,
): readonly SentMessage[] {
  const { skillset, state } = had;
  const known = new Set([...namesIn(state), ...skillset.entries.map(({ name }) => name)]);
  // A program without skills may send any text between tags. Calls of operations show that the conversation had skills.
  if (skillset.skills.length === 0 && known.size === 0 && !hasSkillCalls(messages, options)) return messages;
  const names = [...known].filter((name) => isGone(had, name));
  const conversation = new GoneConversation(had, new Set(names), options);
  return messages.map((message) => conversation.removeFrom(message));
}

/** Every skill that the conversation has had, as far as the state knows. */
function namesIn({ active, catalog, notices }: SessionState): readonly string[] {
  const told = notices.flatMap(({ added, invoked = [], triggered = [], given = [] }) => [
    ...Object.keys(added ?? {}),
    ...[...invoked, ...triggered, ...given].map(({ name }) => name),
  ]);
  return [...active.map(({ name }) => name), ...Object.keys(catalog?.skills ?? {}), ...told];
}

function hasSkillCalls(messages: readonly SentMessage[], { operations, taken = [] }: GoneOptions): boolean {
  return messages.some(({ calls = [] }) =>
    calls.some(({ name }) => !taken.includes(name) && operationOf(name, operations) !== undefined),
  );
}

/** Reads the messages in order: a result belongs to the latest call with its id, which some providers use again. */
class GoneConversation {
  readonly #had: HadSkills;
  readonly #options: GoneOptions;
  readonly #calls = new Map<string, TurnCall>();
  /** The skills that the conversation had, and that the session does not have. */
  readonly #names: Set<string>;
  readonly #ownTools: ReadonlySet<string>;

  constructor(had: HadSkills, names: Set<string>, options: GoneOptions) {
    this.#had = had;
    this.#names = names;
    this.#options = options;
    const { skills } = had.skillset;
    this.#ownTools = new Set(
      skills.flatMap((skill) => skill.tools.map((tool) => toToolName(`${skill.name}__${tool.name}`, new Set()))),
    );
  }

  removeFrom(message: SentMessage): SentMessage {
    for (const call of message.calls ?? []) this.#calls.set(call.id, call);
    if (message.results !== undefined && message.results.length > 0) return this.#withoutResults(message);
    if (message.role !== "user" && message.role !== "tool") return message;
    const text = this.#withoutTags(message.text);
    return text === message.text ? message : { ...message, text, texts: [text] };
  }

  #withoutResults(message: SentMessage): SentMessage {
    const { results = [] } = message;
    const replaced = new Map<string, string>();
    for (const result of results) {
      const text = this.#replacementOf(result);
      if (text !== undefined) replaced.set(result.id, text);
    }
    if (replaced.size === 0) return message;
    return { ...message, text: results.map(({ id, text }) => replaced.get(id) ?? text).join("\n"), replaced };
  }

  /** Returns what the model gets instead of a result. Undefined if the result stays. */
  #replacementOf({ id, text, skill }: TurnResult): string | undefined {
    const call = this.#calls.get(id);
    if (call !== undefined && this.#options.taken?.includes(call.name)) return undefined;
    const name = skill ?? this.#skillOf(call);
    if (name === undefined) {
      const rest = this.#withoutTags(text);
      return rest === text ? undefined : rest;
    }
    if (call !== undefined && text === missingFunction(call.name)) return undefined;
    if (!isGone(this.#had, name) || this.#isRefusal(name, text)) return undefined;
    this.#names.add(name);
    return goneText(name);
  }

  /** Whether a result only says that there is no such skill. The file of a skill that is gone must not pass as that. */
  #isRefusal(name: string, text: string): boolean {
    if (!this.#names.has(name)) return text.startsWith(`Unknown skill '${name.slice(0, LIMITS.shown.nameCharacters)}'`);
    const { message } = unknownSkill(name, this.#had.skillset.skills);
    return text.startsWith(message) && /^(?: Find skills with `[\w-]+`\.)?$/.test(text.slice(message.length));
  }

  /** Returns the skill whose texts the result of a call contains. */
  #skillOf(call: TurnCall | undefined): string | undefined {
    if (call === undefined) return undefined;
    const { aliases = {} } = this.#options.operations ?? {};
    const id = operationOf(call.name, this.#options.operations);
    if (id !== undefined) {
      const input = fieldsOf(call.input);
      const renamed = aliases[id]?.arguments ?? {};
      // The last may be the new name of another argument.
      const keys = [renamed.skill, renamed.name, "skill", "skill_name", "name"].filter((key) => key !== undefined);
      return keys.map((key) => input[key]).find((value) => typeof value === "string");
    }
    if (this.#ownTools.has(call.name)) return undefined;
    return [...this.#names].find((name) => call.name.startsWith(toolNameStart(name)));
  }

  /** Replaces instructions that the library inserted. What a user wrote between tags for an unknown skill stays. */
  #withoutTags(text: string): string {
    let rest = "";
    let from = 0;
    for (let isLeading = true; ; ) {
      const start = text.indexOf(TAG_START, from);
      const end = start === -1 ? -1 : text.indexOf(CLOSE_TAG, start);
      if (end === -1) return rest + text.slice(from);
      const before = text.slice(from, start);
      isLeading &&= before.trim() === "";
      const next = end + CLOSE_TAG.length;
      const name = nameInTag(text, start);
      const isRemoved = name !== undefined && isGone(this.#had, name) && (isLeading || this.#names.has(name));
      if (isRemoved) this.#names.add(name);
      rest += before + (isRemoved ? goneText(name) : text.slice(start, next));
      from = next;
    }
  }
}

/** A host may record that a skill of another session was read: it is active, and not gone. */
function isGone({ skillset, active }: HadSkills, name: string): boolean {
  return !skillset.has(name) && !active.has(name);
}

/** The operations whose results contain texts of a skill. */
const WITH_TEXTS = OPERATION_IDS.filter((id) => OPERATIONS[id].returns !== "report");

/** Returns the operation of that name, or with that alias, if its results contain texts of a skill. */
function operationOf(name: string, { aliases = {} }: OperationOptions = {}): OperationId | undefined {
  return WITH_TEXTS.find((one) => name === one || name === aliases[one]?.name);
}

/** Returns what a model gets instead of a text of a skill that is gone. */
export function goneText(name: string): string {
  const shown = escapeSkillTags(name.slice(0, LIMITS.shown.nameCharacters).toWellFormed());
  return `The skill '${shown}' is no longer available. Its text was removed from this conversation.`;
}

/** Some APIs keep the arguments of a call as JSON. */
function fieldsOf(input: unknown): Readonly<Record<string, unknown>> {
  if (typeof input !== "string") return typeof input === "object" && input !== null ? { ...input } : {};
  try {
    const value: unknown = JSON.parse(input);
    return typeof value === "string" ? {} : fieldsOf(value);
  } catch {
    return {};
  }
}
