import { dirname } from "node:path";
import type { Problem, Skill, SkillEntry } from "skillset";
import type { CatalogView, ProblemView, SkillRow, SkillsView } from "../../shared/skills-api.ts";
import type { Redact } from "../observe/redact.ts";
import { hidePlaces } from "./hide-places.ts";
import type { SkillRegistry } from "./loaded-skills.ts";
import { folderOf, type PolicyNotes, policyNotes } from "./policy-notes.ts";
import { repairableProblems } from "./repairs.ts";
import type { UsageStore, UsageTotal } from "./usage-store.ts";

export interface SkillsViewOptions {
  readonly usage: UsageStore;
  readonly redact: Redact;
  readonly isAdmin: boolean;
}

/** All skills for the page. Only admins see local paths. */
export async function skillsView(
  registry: SkillRegistry,
  { usage, redact, isAdmin }: SkillsViewOptions,
): Promise<SkillsView> {
  const { current, problems, roots, scannedAt } = registry;
  const [totals, notes] = await Promise.all([usage.totals(), policyNotes(registry)]);
  const counts = countProblems(current.entries, current.problems);
  const hider = isAdmin ? undefined : hidePlaces(rootPaths(registry), redact);
  const place = (path: string) => hider?.place(path) ?? path;
  const rows = current.entries.map((entry) =>
    toRow(entry, {
      usage: totals.get(entry.name),
      problems: counts.get(folderOf(entry)[0] ?? "") ?? 0,
      notes,
      isAdmin,
    }),
  );
  const views = problemViews(problems, registry, notes);
  return {
    rows: hider ? rows.map(hider.row) : rows,
    problems: hider ? views.map(hider.problem) : views,
    collisions: current.collisions.map(({ name, winner, losers }) => ({
      name: hider ? redact(name) : name,
      winner: place(placeOf(winner)),
      losers: losers.map((loser) => place(placeOf(loser))),
    })),
    roots: roots.map((root) => ({ ...root, path: place(root.path) })),
    catalog: catalogView(registry),
    scannedAt: scannedAt.toISOString(),
  };
}

export function rootPaths({ roots }: SkillRegistry): readonly string[] {
  return roots.map(({ path }) => path);
}

interface RowOptions {
  readonly usage: UsageTotal | undefined;
  /** The number of problems in the skill's folder. */
  readonly problems: number;
  readonly notes: PolicyNotes;
  readonly isAdmin: boolean;
}

export function toRow(entry: SkillEntry, { usage, problems, notes, isAdmin }: RowOptions): SkillRow {
  const origin = entry.status === "invalid" ? entry.origin : entry.skill.origin;
  const folder = origin.kind === "folder" ? origin : undefined;
  const skill = entry.status === "invalid" ? undefined : entry.skill;
  const tolerated = notes.tolerated.get(folder?.folder ?? "");
  return {
    name: entry.name,
    version: skill?.metadata.version?.trim().slice(0, LONGEST_VERSION) || undefined,
    description: skill?.description ?? "",
    state: entry.status,
    reason: reasonOf(entry),
    source: folder?.root ?? skill?.provider ?? "code",
    path: isAdmin ? folder?.folder : undefined,
    ...((entry.status !== "shadowed" && usage) || { chats: 0, activations: 0 }),
    isUserInvocable: skill?.userInvocable ?? false,
    isModelInvocable: skill?.modelInvocable ?? false,
    problems,
    ...(notes.loadable.has(folder?.folder ?? "") && { loadsLeniently: true }),
    ...(tolerated && { tolerated }),
  };
}

/** It may be any text. */
const LONGEST_VERSION = 40;

function reasonOf(entry: SkillEntry): string | undefined {
  if (entry.status === "enabled") return undefined;
  return entry.reason === "disabled" ? "disabled by an admin" : entry.reason;
}

/** The problems with what can be done about them, errors first. */
export function problemViews(
  problems: readonly Problem[],
  { current }: SkillRegistry,
  notes: PolicyNotes,
): readonly ProblemView[] {
  const repairable = repairableProblems(current);
  return problems
    .toSorted((a, b) => RANKS[a.severity] - RANKS[b.severity])
    .map((problem) => {
      const loadsLeniently = problem.severity === "error" && notes.loadable.has(dirname(problem.path ?? ""));
      return {
        ...problem,
        ...(repairable.has(problem) && { canRepair: true }),
        ...(loadsLeniently && { loadsLeniently }),
      };
    });
}

const RANKS: Readonly<Record<Problem["severity"], number>> = { error: 0, warning: 1, info: 2 };

/** Whether a path is the skill's folder or inside it. */
export function isAbout(path: string | undefined, folder: string | undefined): boolean {
  return path !== undefined && folder !== undefined && (path === folder || path.startsWith(`${folder}/`));
}

/** Counts the problems in the folder of each skill, in one pass. */
function countProblems(entries: readonly SkillEntry[], problems: readonly Problem[]): ReadonlyMap<string, number> {
  const counts = new Map(entries.flatMap(folderOf).map((folder) => [folder, 0]));
  for (const { path } of problems) {
    for (let folder = path ?? ""; folder !== ""; folder = folder === dirname(folder) ? "" : dirname(folder)) {
      const count = counts.get(folder);
      if (count !== undefined) counts.set(folder, count + 1);
    }
  }
  return counts;
}

function catalogView({ current, turnOptions, catalogBudget }: SkillRegistry): CatalogView {
  const { text, tokens, full, shortened, nameOnly, omitted } = current.catalog(turnOptions.catalog);
  return {
    text,
    tokens,
    budget: catalogBudget,
    full: full.length,
    shortened: shortened.length,
    nameOnly: nameOnly.length,
    omitted: omitted.length,
  };
}

function placeOf({ basePath, provider = "code" }: Skill): string {
  return basePath ?? provider;
}
