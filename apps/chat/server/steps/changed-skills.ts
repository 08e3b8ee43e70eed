import type { ChatMessage } from "../../shared/api.ts";
import type { ChangedSkill } from "../../shared/steps-api.ts";
import { skillOutputOf } from "../chats/skill-outputs.ts";
import type { SkillRegistry } from "../skills/loaded-skills.ts";
import { skillTexts } from "./current-texts.ts";
import { numbersIn } from "./encode-request.ts";
import { isScriptFile } from "./rebuild-request.ts";
import type { TextRecord } from "./step-record.ts";
import type { OpenedRecipe } from "./steps-view.ts";

export interface ChangedSkillsOptions {
  /** The messages up to the answer. */
  readonly messages: readonly ChatMessage[];
  readonly registry: SkillRegistry | undefined;
}

/** For each request, the skills whose texts in it differ from the current ones. Compares digests, and rebuilds nothing. */
export async function changedSkills(
  recipes: readonly (OpenedRecipe | undefined)[],
  { messages, registry }: ChangedSkillsOptions,
): Promise<readonly (readonly ChangedSkill[])[]> {
  const records = recipes.findLast((recipe) => recipe !== undefined)?.known ?? [];
  const known = await skillTexts({ messages, registry, records });
  const changes = new Map<TextRecord, ChangedSkill>();
  for (const record of records) {
    const { skill, kind, path, digest } = record;
    if (skill === undefined || known.has(digest) || isScriptFile(path)) continue;
    const isGone = registry?.current.has(skill) !== true;
    if (isGone || kind !== "instructions" || (await haveChanged(skill, messages, registry))) {
      changes.set(record, { skill, isGone });
    }
  }
  return recipes.map((recipe) => {
    if (recipe === undefined) return [];
    const used = numbersIn(recipe.all).flatMap((number) => changes.get(recipe.known[number] as TextRecord) ?? []);
    return [...new Map(used.map((change) => [change.skill, change])).values()];
  });
}

/** Instructions with tools of toolsets are never the same text again, so what was activated decides for them. */
async function haveChanged(name: string, messages: readonly ChatMessage[], registry: SkillRegistry): Promise<boolean> {
  const now = await registry.preview(name).catch(() => undefined);
  if ((now?.skill.toolsets ?? []).length === 0) return true;
  return messages
    .flatMap(({ parts }) => parts.map(skillOutputOf))
    .some((output) => output?.kind === "activation" && output.data.name === name && output.data.digest !== now?.digest);
}
