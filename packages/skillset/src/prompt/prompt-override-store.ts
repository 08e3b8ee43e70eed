import { PromptValidationError } from "../core/base/errors.ts";
import { checkOptions, type OptionTable } from "../core/text/check-options.ts";
import { sha256 } from "../core/text/sha256.ts";
import { checkOverrides } from "./check-overrides.ts";
import { pathOfOverrides, readOverrides, writeOverrides } from "./override-file.ts";
import type { PromptTemplate } from "./prompt-template.ts";
import { readTemplate } from "./section/fill-template.ts";
import { indexSections } from "./section/index-sections.ts";
import type { AnyParams, Section } from "./section/section.ts";

/** Options for `PromptOverrideStore`. */
export interface PromptOverrideStoreOptions {
  /**
   * A JSON file with the overrides. It is read with each call, and replaced as a whole.
   * @default overrides are kept in memory
   */
  readonly file?: string | URL;
}

/** An override that no longer fits its prompt. */
export interface StaleOverride {
  /** The dotted key of the section. */
  readonly key: string;
  readonly tag: string;
  readonly text: string;
  /** The section has another template now, is gone, or accepts no overrides any more. */
  readonly reason: "changed" | "removed" | "refused";
}

/** Options for `load()`. */
export interface LoadOverridesOptions {
  /**
   * Which overrides to load: those that were stored under this tag.
   * @default "latest"
   */
  readonly tag?: string;
  /**
   * Called with each stale override, which is then left out.
   * @default throws a `PromptValidationError` that names the sections
   */
  readonly onStale?: (override: StaleOverride) => unknown;
}

interface TagOptions {
  /**
   * The tag of the override.
   * @default "latest"
   */
  readonly tag?: string;
}

interface StoredOverride {
  /** The namespace and the key of the prompt. */
  readonly prompt: string;
  readonly tag: string;
  readonly section: string;
  /** The hash of the template that the text replaces. */
  readonly base: string;
  readonly text: string;
}

/**
 * Keeps replacement templates by prompt, section and tag. Each has the hash of the template that it replaces, so that an
 * override of an older template is not used unnoticed.
 *
 * @example
 * ```ts
 * import { MarkdownSection, Prompt, PromptOverrideStore, PromptTemplate } from "skillset/prompt";
 *
 * const task = new MarkdownSection({ title: "Task", key: "task", template: "Review the code." });
 * const template = new PromptTemplate({ ns: "review", key: "code", sections: [task] });
 * const store = new PromptOverrideStore();
 * await store.set(template, "task", "Review the code for security.", { tag: "security" });
 * const overrides = await store.load(template, { tag: "security" });
 * console.log(new Prompt(template).render({ overrides }).text);
 * ```
 */
export class PromptOverrideStore {
  readonly #file: string | undefined;
  #kept: readonly StoredOverride[] = [];
  /** Changes are made one after the other. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: PromptOverrideStoreOptions = {}) {
    checkOptions("new PromptOverrideStore()", options, OPTIONS);
    const { file } = options;
    this.#file = file === undefined ? undefined : pathOfOverrides(file);
  }

  /** Stores a replacement for a section's current template, under a tag. */
  async set(
    template: PromptTemplate<AnyParams, unknown>,
    key: string,
    text: string,
    options: TagOptions = {},
  ): Promise<void> {
    checkOptions("set()", options, TAG_OPTIONS);
    const { tag = LATEST } = options;
    const index = indexSections(template.sections);
    checkOverrides({ [key]: text }, index);
    readTemplate(text, key);
    const base = await hashOf(index.get(key));
    const added = { prompt: nameOf(template), tag, section: key, base, text };
    await this.#change((all) => [...all.filter((one) => !isSame(one, added)), added]);
  }

  /** Removes the replacement of a section. */
  async delete(template: PromptTemplate<AnyParams, unknown>, key: string, options: TagOptions = {}): Promise<void> {
    checkOptions("delete()", options, TAG_OPTIONS);
    const { tag = LATEST } = options;
    const removed = { prompt: nameOf(template), tag, section: key };
    await this.#change((all) => all.filter((one) => !isSame(one, removed)));
  }

  /** Returns the overrides of a prompt with a tag, for `render({ overrides })`. */
  async load(
    template: PromptTemplate<AnyParams, unknown>,
    options: LoadOverridesOptions = {},
  ): Promise<Readonly<Record<string, string>>> {
    checkOptions("load()", options, LOAD_OPTIONS);
    const { tag = LATEST, onStale } = options;
    const name = nameOf(template);
    const index = indexSections(template.sections);
    const wanted = (await this.#read()).filter((one) => one.prompt === name && one.tag === tag);
    const checked = await Promise.all(
      wanted.map(async (one) => ({ ...one, reason: await whyStale(one, index.get(one.section)) })),
    );
    const stale = checked.filter(({ reason }) => reason !== undefined);
    if (stale.length > 0 && onStale === undefined) throw staleOverrides(name, tag, stale);
    for (const { section: key, text, reason } of stale)
      if (reason !== undefined) onStale?.(Object.freeze({ key, tag, text, reason }));
    const usable = checked.filter(({ reason }) => reason === undefined);
    return Object.fromEntries(usable.map(({ section, text }) => [section, text]));
  }

  #change(change: (all: readonly StoredOverride[]) => readonly StoredOverride[]): Promise<void> {
    const changed = this.#last.then(async () => this.#write(change(await this.#read())));
    this.#last = changed.catch(() => {});
    return changed;
  }

  async #read(): Promise<readonly StoredOverride[]> {
    if (this.#file === undefined) return this.#kept;
    const text = await readOverrides(this.#file);
    return text === undefined ? [] : parse(text, this.#file);
  }

  async #write(overrides: readonly StoredOverride[]): Promise<void> {
    this.#kept = overrides;
    if (this.#file === undefined) return;
    await writeOverrides(this.#file, `${JSON.stringify({ version: VERSION, overrides }, undefined, 2)}\n`);
  }
}

const LATEST = "latest";
const VERSION = 1;

function nameOf({ ns, key }: PromptTemplate<AnyParams, unknown>): string {
  return `${ns}/${key}`;
}

type Place = Pick<StoredOverride, "prompt" | "tag" | "section">;

function isSame(one: Place, other: Place): boolean {
  return one.prompt === other.prompt && one.tag === other.tag && one.section === other.section;
}

/** Sections without a template, such as lists of skills, never change. */
function hashOf(section: Section | undefined): Promise<string> {
  const { template } = (section ?? {}) as { readonly template?: unknown };
  return sha256(typeof template === "string" ? template : "");
}

async function whyStale(
  { base }: StoredOverride,
  section: Section | undefined,
): Promise<StaleOverride["reason"] | undefined> {
  if (section === undefined) return "removed";
  if (!section.acceptsOverrides) return "refused";
  return base === (await hashOf(section)) ? undefined : "changed";
}

function staleOverrides(name: string, tag: string, stale: readonly StoredOverride[]): PromptValidationError {
  const keys = stale.map(({ section }) => section);
  const list = keys.map((key) => `'${key}'`).join(", ");
  const message = `The overrides of prompt '${name}' with the tag '${tag}' are stale for ${list}: these sections have changed since. Store them again, or pass 'onStale' to leave them out.`;
  return new PromptValidationError(message, keys);
}

function parse(text: string, file: string): readonly StoredOverride[] {
  const invalid = (why: string) =>
    new PromptValidationError(`The overrides in '${file}' cannot be read: ${why}`, [file]);
  let value: { readonly version?: unknown; readonly overrides?: unknown } | null;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid("the file is not JSON.");
  }
  if (value?.version !== VERSION) throw invalid(`its version must be ${VERSION}.`);
  const { overrides } = value;
  if (!Array.isArray(overrides) || !overrides.every(isStored))
    throw invalid("'overrides' must be a list of { prompt, tag, section, base, text }.");
  return overrides;
}

function isStored(value: unknown): value is StoredOverride {
  const fields = (value ?? {}) as Readonly<Record<string, unknown>>;
  return ["prompt", "tag", "section", "base", "text"].every((field) => typeof fields[field] === "string");
}

const OPTIONS: OptionTable<PromptOverrideStoreOptions> = { file: true };
const TAG_OPTIONS: OptionTable<TagOptions> = { tag: true };
const LOAD_OPTIONS: OptionTable<LoadOverridesOptions> = { tag: true, onStale: true };
