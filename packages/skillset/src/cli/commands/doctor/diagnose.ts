import { basename, dirname } from "node:path";
import type { Problem } from "../../../core/base/problem.ts";
import { renderCatalog } from "../../../core/catalog/catalog.ts";
import { findSimilar, type SimilarPair } from "../../../core/search/similar.ts";
import type { Skill } from "../../../core/skill/skill.ts";
import { versionOf } from "../../../core/skill/skill-version.ts";
import type { Skillset } from "../../../core/skillset.ts";
import type { SkillEntry } from "../../../core/source/select.ts";
import { findHiddenParts } from "../../../node/lint/hidden-parts.ts";
import { COLLECTION_NAME, drain, findNested } from "../../../node/load/unread-skills.ts";
import { folderOf, groupByPath, locationOf, originOf } from "../../command-line/found-skill.ts";
import type { SkillStatus } from "../../terminal/status-mark.ts";

/** The problems of a set of skills. */
export interface Diagnosis {
  /** The skills that have problems, or that no model sees. */
  readonly skills: readonly SkillDiagnosis[];
  /** Problems that do not belong to one skill, such as missing folders. */
  readonly problems: readonly Problem[];
  readonly catalog: CatalogDiagnosis;
  readonly similar: readonly { readonly a: string; readonly b: string; readonly similarity: number }[] | null;
}

export interface SkillDiagnosis {
  readonly name: string;
  readonly version?: string;
  readonly status: SkillStatus;
  /** Its folder. Null if it is not in one. */
  readonly path: string | null;
  /** Why no model sees the skill. */
  readonly reason?: string;
  readonly problems: readonly Problem[];
}

export interface CatalogDiagnosis {
  readonly skills: number;
  readonly tokens: number;
  readonly budget: number;
  /** The skills that change to fit the budget. */
  readonly shortened: readonly string[];
  readonly nameOnly: readonly string[];
  readonly omitted: readonly string[];
  readonly largest: readonly { readonly name: string; readonly tokens: number }[];
}

export function diagnose(skillset: Skillset, budget: number): Diagnosis {
  const problemsAt = groupByPath(skillset.problems.filter(({ code }) => !REPORTED_BY_STATUS.has(code)));
  const loaded = foldersOf(skillset);
  const skills = skillset.entries.flatMap((entry): SkillDiagnosis[] => {
    const { name, status } = entry;
    const location = locationOf(entry);
    const found = location === undefined ? [] : (problemsAt.get(location) ?? []);
    if (location !== undefined) problemsAt.delete(location);
    const problems = [
      ...found.filter(({ severity }) => severity !== "info"),
      ...problemsInFolder(entry, found, loaded),
    ];
    const reason = status !== "enabled" ? entry.reason : entry.skill.modelInvocable ? undefined : HIDDEN;
    const version = status === "invalid" ? undefined : versionOf(entry.skill);
    return reason === undefined && problems.length === 0
      ? []
      : [
          {
            name,
            ...(version && { version }),
            status,
            path: folderOf(entry)?.folder ?? null,
            ...(reason && { reason }),
            problems,
          },
        ];
  });
  const visible = skillset.skills.filter(({ modelInvocable }) => modelInvocable);
  return {
    skills,
    problems: [...problemsAt.values()].flat(),
    catalog: diagnoseCatalog(skillset, visible.length, budget),
    similar:
      visible.length > MOST_COMPARED
        ? null
        : [...sameDescriptions(visible), ...findSimilar(visible)].filter(isFirstPair).map(({ a, b, similarity }) => ({
            a: a.name,
            b: b.name,
            similarity: Math.round(similarity * 100) / 100,
          })),
  };
}

/** The problems that only the folder of a skill shows. `found` are those that loading has reported. */
function problemsInFolder(entry: SkillEntry, found: readonly Problem[], loaded: LoadedFolders): readonly Problem[] {
  const origin = folderOf(entry);
  if (origin === undefined) return [];
  const { folder, root } = origin;
  const place = { folder, name: entry.name };
  const hidden = findHiddenParts(place);
  // A scan continues below the SKILL.md of a collection, and reports itself what it does not load there.
  const isSearched = loaded.above.has(folder) || basename(folder) === COLLECTION_NAME;
  const isReported = found.some(({ code }) => code === "skills-not-read");
  if (entry.status === "invalid" || folder === root || isSearched || isReported) return hidden;
  const nested = drain(findNested(place, { isIgnored: (one) => loaded.folders.has(one) }));
  return nested === undefined ? hidden : [...hidden, nested];
}

type LoadedFolders = Record<"folders" | "above", ReadonlySet<string>>;

/** The folders of all skills, and those between them and the sources in which they were found. */
function foldersOf({ entries }: Skillset): LoadedFolders {
  const [folders, above] = [new Set<string>(), new Set<string>()];
  for (const origin of entries.map(originOf)) {
    if (origin.kind !== "folder") continue;
    folders.add(origin.folder);
    let parent = dirname(origin.folder);
    for (; parent.startsWith(origin.root) && !above.has(parent); parent = dirname(parent)) above.add(parent);
  }
  return { folders, above };
}

/** Skills with equal descriptions, which a model confuses whatever their names are. */
function sameDescriptions(skills: readonly Skill[]): readonly SimilarPair[] {
  const first = new Map<string, Skill>();
  return skills.flatMap((b) => {
    const a = first.get(b.description);
    if (a === undefined) first.set(b.description, b);
    return a === undefined ? [] : [{ a, b, similarity: 1 }];
  });
}

function isFirstPair({ a, b }: SimilarPair, index: number, pairs: readonly SimilarPair[]): boolean {
  return pairs.findIndex((pair) => pair.a === a && pair.b === b) === index;
}

/** The status and reason of an entry already report these. */
const REPORTED_BY_STATUS: ReadonlySet<string> = new Set(["skill-shadowed", "skill-locked"]);
const HIDDEN = "only users can invoke it: its frontmatter has 'disable-model-invocation'";
/** Comparing more skills than this with each other takes seconds. */
const MOST_COMPARED = 2_000;
const LARGEST_SHOWN = 5;

function diagnoseCatalog(skillset: Skillset, skills: number, budget: number): CatalogDiagnosis {
  const { tokens } = renderCatalog(skillset.skills, { budget: { tokens: Number.POSITIVE_INFINITY } });
  const { shortened, nameOnly, omitted } = skillset.catalog({ budget: { tokens: budget } });
  const frame =
    renderCatalog([NOTHING]).tokens - renderCatalog([NOTHING, NOTHING]).tokens + renderCatalog([NOTHING]).tokens;
  const largest = skillset.skills
    .filter(({ modelInvocable }) => modelInvocable)
    .map((skill) => ({ name: skill.name, tokens: renderCatalog([skill]).tokens - frame }))
    .sort((a, b) => b.tokens - a.tokens)
    .slice(0, LARGEST_SHOWN);
  return { skills, tokens, budget, shortened, nameOnly, omitted, largest };
}

/** Catalogs with one and two of these show the size of the frame around the skills. */
const NOTHING = { name: "a", description: "a", origin: { kind: "inline" }, modelInvocable: true } as const;
