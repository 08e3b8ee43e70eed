import { goneText } from "skillset/adapter";
import type { ChatMessage } from "../../shared/api.ts";
import { fillMessages } from "../chats/fill-messages.ts";
import { skillOf, skillOutputOf, unloadedText } from "../chats/skill-outputs.ts";
import type { SkillRegistry } from "../skills/loaded-skills.ts";
import { peopleCatalog } from "../skills/people-catalog.ts";
import { KnownTexts, withoutNames } from "./known-texts.ts";
import type { TextRecord } from "./step-record.ts";

export interface CurrentTextsOptions {
  readonly messages: readonly ChatMessage[];
  readonly registry: SkillRegistry | undefined;
  /** The texts of the request, or of several. */
  readonly records: readonly TextRecord[];
  /** The catalog that the chat's models see. */
  readonly catalog: string | undefined;
}

/** All texts that a request of this chat can contain, as they are now. A digest decides which of them it contained. */
export async function currentTexts({ catalog, ...options }: CurrentTextsOptions): Promise<KnownTexts> {
  const known = await skillTexts(options);
  const { registry } = options;
  if (catalog !== undefined) known.add(catalog);
  if (registry !== undefined) known.add(peopleCatalog(registry.current, registry.turnOptions.catalog).text);
  return known;
}

/** The same without the catalog. */
export async function skillTexts({
  messages,
  registry,
  records,
}: Omit<CurrentTextsOptions, "catalog">): Promise<KnownTexts> {
  const known = new KnownTexts();
  const filled = await fillMessages(messages, registry);
  known.addMessages(filled);
  for (const part of filled.flatMap(({ parts }) => parts)) {
    const output = skillOutputOf(part);
    if (output === undefined) continue;
    known.add(goneText(skillOf(output)));
    if (output.kind === "activation") known.add(unloadedText(output.data.name));
  }
  const skills = new Set(records.flatMap(({ kind, skill }) => (kind === "instructions" && skill ? [skill] : [])));
  for (const name of skills) {
    if (registry?.current.has(name) !== true) continue;
    for (const words of [undefined, ...argumentsFor(name, messages)]) {
      // With and without the note that the instructions have changed.
      for (const since of [undefined, ""]) {
        const preview = await registry.preview(name, { arguments: words, since }).catch(() => undefined);
        if (preview !== undefined) known.add(preview.text);
      }
    }
  }
  return known;
}

/** What users wrote after the name of a skill. */
function argumentsFor(name: string, messages: readonly ChatMessage[]): ReadonlySet<string> {
  const texts = messages.flatMap(({ role, parts }) =>
    role === "user" ? parts.flatMap((part) => (part.type === "text" ? [part.text] : [])) : [],
  );
  return new Set(
    texts
      .filter((text) => text.includes(`/${name}`))
      .flatMap(withoutNames)
      .slice(-MOST_ARGUMENTS),
  );
}

const MOST_ARGUMENTS = 20;
