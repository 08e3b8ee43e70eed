import type { Skill, SkillEntry } from "skillset";
import type { SkillRow, SkillsView } from "../../shared/api.ts";
import type { Redact } from "../observe/redact.ts";
import type { SkillRegistry } from "./loaded-skills.ts";
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
  const totals = await usage.totals();
  const { text, tokens } = current.catalog(registry.catalogOptions);
  const places = {
    rows: current.entries.map((entry) => toRow(entry, registry, totals.get(entry.name), isAdmin)),
    problems,
    collisions: current.collisions.map(({ name, winner, losers }) => ({
      name,
      winner: placeOf(winner),
      losers: losers.map(placeOf),
    })),
    roots,
  };
  const shown = isAdmin ? places : redact(places);
  return { ...shown, catalog: { text, tokens }, scannedAt: scannedAt.toISOString() };
}

export function toRow(
  entry: SkillEntry,
  { current }: SkillRegistry,
  usage: UsageTotal = { chats: 0, activations: 0 },
  isAdmin: boolean,
): SkillRow {
  const origin = entry.status === "invalid" ? entry.origin : entry.skill.origin;
  const folder = origin.kind === "folder" ? origin : undefined;
  const skill = entry.status === "invalid" ? undefined : entry.skill;
  return {
    name: entry.name,
    version: skill?.metadata.version?.trim().slice(0, LONGEST_VERSION) || undefined,
    description: skill?.description ?? "",
    state: entry.status,
    reason: reasonOf(entry),
    source: folder?.root ?? skill?.provider ?? "code",
    path: isAdmin ? folder?.folder : undefined,
    ...(entry.status === "shadowed" ? { chats: 0, activations: 0 } : usage),
    isUserInvocable: skill?.userInvocable ?? false,
    isModelInvocable: skill?.modelInvocable ?? false,
    problems: current.problems.filter((problem) => isAbout(problem.path, folder?.folder)).length,
  };
}

/** It may be any text. */
const LONGEST_VERSION = 40;

function reasonOf(entry: SkillEntry): string | undefined {
  if (entry.status === "enabled") return undefined;
  return entry.reason === "disabled" ? "disabled by an admin" : entry.reason;
}

/** Whether a path is the skill's folder or inside it. */
export function isAbout(path: string | undefined, folder: string | undefined): boolean {
  return path !== undefined && folder !== undefined && (path === folder || path.startsWith(`${folder}/`));
}

function placeOf({ basePath, provider = "code" }: Skill): string {
  return basePath ?? provider;
}
