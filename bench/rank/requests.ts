import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { readSkillMd } from "../../packages/skillset/src/core/manifest/parse.ts";
import { resolvePolicy } from "../../packages/skillset/src/core/manifest/policy.ts";
import type { Skill } from "../../packages/skillset/src/core/skill/skill.ts";

/** A public skill, with the name of its folder in the corpus. */
export type FoundSkill = { readonly skill: Skill; readonly folder: string };

/** A request that a skill's author wrote. Without answers, it must not lead to the skill. */
export type Request = {
  readonly query: string;
  readonly kind: string;
  readonly language: string;
  /** The skill that the author wrote it for. Requests for one skill resemble each other. */
  readonly source: string;
  readonly answers: ReadonlySet<Skill>;
  readonly heldOut: boolean;
};

/** A request with all right skills, judged by hand. Each of `needs` is met by any of its skills; none means that nothing fits. */
export type JudgedRequest = {
  readonly query: string;
  readonly language: string;
  readonly needs: readonly ReadonlySet<Skill>[];
  readonly heldOut: boolean;
};

export function readSkills(corpus: string): FoundSkill[] {
  const lines = readLines<{ dir: string; text: string }>(gunzipSync(readFileSync(join(corpus, "skills.jsonl.gz"))));
  return lines.map(({ dir, text }) => {
    const { manifest, body } = readSkillMd(text, { policy: resolvePolicy(), folder: dir });
    return { folder: dir, skill: toSkill(manifest ?? { name: dir, description: "" }, manifest ? body : text) };
  });
}

/** Every second skill with all its requests is held out, so that nothing learnt about one skill helps it. */
export function readRequests(corpus: string, found: readonly FoundSkill[]): Request[] {
  type Line = { query: string; skill: string; shouldTrigger: boolean; kind: string };
  const lines = readLines<Line>(readFileSync(join(corpus, "queries.jsonl")));
  const names = [...new Set(lines.filter((line) => line.shouldTrigger).map(({ skill }) => skill))].sort();
  return lines.flatMap(({ query, skill: source, kind, shouldTrigger }) => {
    const named = found.filter(({ skill, folder }) => skill.name === source || folder === source);
    if (named.length === 0) return [];
    const texts = new Set(named.map(({ skill }) => skill.description).filter((text) => text !== ""));
    const right = found.filter((one) => named.includes(one) || texts.has(one.skill.description));
    const isDeclared = named.some(({ skill }) => skill.triggers?.keywords.includes(query));
    return {
      query,
      source,
      kind: isDeclared ? "declared trigger" : kind,
      language: languageOf(query),
      answers: new Set(shouldTrigger ? right.map(({ skill }) => skill) : []),
      heldOut: names.indexOf(source) % 2 === 1,
    };
  });
}

export function readJudged(found: readonly FoundSkill[]): JudgedRequest[] {
  type Line = { query: string; language: string; needs: string[][] };
  const byFolder = new Map(found.map(({ folder, skill }) => [folder, skill]));
  return readLines<Line>(readFileSync(new URL("../judged.jsonl", import.meta.url))).map((line, at) => ({
    ...line,
    needs: line.needs.map((folders) => new Set(folders.flatMap((folder) => byFolder.get(folder) ?? []))),
    heldOut: at % 2 === 1,
  }));
}

/** The language by its letters. Of the languages with Latin letters, the corpus has English and a little French. */
function languageOf(query: string): string {
  const letters = query.match(/\p{L}/gu) ?? [];
  const isMostly = (script: RegExp) => letters.filter((letter) => script.test(letter)).length > letters.length * 0.15;
  if (isMostly(/[\p{sc=Hiragana}\p{sc=Katakana}]/u)) return "Japanese";
  if (isMostly(/\p{sc=Han}/u)) return "Chinese";
  if (isMostly(/\P{sc=Latin}/u)) return "other";
  const isShort = query.length < 80;
  return isShort && (/[àâçéèêîôûùœ]/i.test(query) || FRENCH.test(query)) ? "French" : "English";
}

const FRENCH = /(?:^|\s)(?:le|la|les|un|une|des|du|mon|ma|mes|moi|sur|ne|avec|trop|en ligne|fichiers?)(?:\s|$)/i;

function readLines<Line>(bytes: Uint8Array): Line[] {
  const lines = new TextDecoder().decode(bytes).trim().split("\n");
  return lines.map((line) => JSON.parse(line));
}

function toSkill(manifest: Pick<Skill, "name" | "description" | "triggers">, body: string): Skill {
  return {
    metadata: {},
    allowedTools: [],
    extra: {},
    modelInvocable: true,
    userInvocable: true,
    ...manifest,
    origin: { kind: "inline" },
    tools: [],
    files: { list: async () => [], read: async () => new Uint8Array() },
    instructions: async () => body,
    digest: async () => "",
  };
}
