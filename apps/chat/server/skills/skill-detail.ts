import { join } from "node:path";
import { estimateTokens, type Skill, type SkillEntry, SkillError, type SkillPreview } from "skillset";
import type { SkillDetail, SkillFileView } from "../../shared/skills-api.ts";
import { notFound } from "../http/api-failure.ts";
import type { ConsentStore } from "./consent-store.ts";
import { hidePlaces } from "./hide-places.ts";
import type { SkillRegistry } from "./loaded-skills.ts";
import { policyNotes } from "./policy-notes.ts";
import { rulesOf } from "./skill-rules.ts";
import { skillTasks } from "./skill-tasks.ts";
import { isAbout, problemViews, rootPaths, type SkillsViewOptions, toRow } from "./skills-view.ts";

/** A skill, enabled or not, with its instructions, files and usage. */
export async function skillDetail(
  registry: SkillRegistry,
  name: string,
  { usage, redact, isAdmin, consents }: SkillsViewOptions & { readonly consents: ConsentStore },
): Promise<SkillDetail> {
  const entry = findEntry(registry, name);
  const origin = entry.status === "invalid" ? entry.origin : entry.skill.origin;
  const folder = origin.kind === "folder" ? origin : undefined;
  const [totals, notes] = await Promise.all([usage.totals(), policyNotes(registry)]);
  const problems = registry.current.problems.filter(({ path }) => isAbout(path, folder?.folder));
  const row = toRow(entry, { usage: totals.get(name), problems: problems.length, notes, isAdmin });
  const views = problemViews(problems, registry, notes);
  const hider = hidePlaces(rootPaths(registry), redact);
  return {
    ...(isAdmin
      ? { row, problems: views, ...(folder && pathsOf(folder)) }
      : { row: hider.row(row), problems: views.map(hider.problem) }),
    ...(await contentOf(entry, registry)),
    ...rulesOf(entry),
    tasks: entry.status === "enabled" ? await skillTasks(entry.skill) : [],
    policies: registry.policies,
    areScriptsAllowed: entry.status === "enabled" && (await consents.has(name, await digestOf(entry.skill))),
    usage: await usage.days(name),
  };
}

/** The paths of a skill in a folder, under the names that registries of skills use. */
function pathsOf({ folder, root }: FolderOrigin): Pick<SkillDetail, "skillDir" | "skillMdPath" | "sourceDir"> {
  return { skillDir: folder, skillMdPath: join(folder, "SKILL.md"), sourceDir: root };
}

type FolderOrigin = Extract<Skill["origin"], { kind: "folder" }>;

/** A skill's file for the page, with the same limits as for models. */
export async function skillFile(registry: SkillRegistry, name: string, path: string): Promise<SkillFileView> {
  const { content, truncated, path: normal } = await (await readable(registry, name)).read(path);
  return { path: normal, content, isTruncated: truncated };
}

/** A skill's file for a preview or a download. */
export async function skillBytes(registry: SkillRegistry, name: string, path: string): Promise<Uint8Array> {
  return (await (await readable(registry, name)).readFile(path)).data;
}

async function readable(registry: SkillRegistry, name: string): Promise<SkillPreview> {
  const entry = findEntry(registry, name);
  if (entry.status === "invalid" || entry.status === "locked") throw notFound(`Readable skill '${name.slice(0, 80)}'`);
  return registry.current.preview(name, { limits: { ...registry.limits, fileBytes: LARGEST_FILE } });
}

/** The library reads no larger files. */
const LARGEST_FILE = 16 * 1024 * 1024;

function findEntry({ current }: SkillRegistry, name: string): SkillEntry {
  const entries = current.entries.filter((entry) => entry.name === name);
  const entry =
    entries.find(({ status }) => status === "enabled") ?? entries.find(({ status }) => status !== "shadowed");
  if (entry === undefined) throw notFound(`Skill '${name.slice(0, 80)}'`);
  return entry;
}

/** Empty if the skill is too large or cannot be read, which its problems say. */
async function digestOf(skill: Skill): Promise<string> {
  return skill.digest().catch(() => "");
}

type Content = Pick<SkillDetail, "instructions" | "tokens" | "license" | "compatibility" | "files" | "tools">;

async function contentOf(entry: SkillEntry, registry: SkillRegistry): Promise<Content> {
  if (entry.status === "invalid") return { instructions: "", tokens: 0, files: [], tools: [] };
  const { skill } = entry;
  const { license, compatibility, tools } = skill;
  const instructions = await skill.instructions().catch((error: unknown) => {
    if (error instanceof SkillError) return "";
    throw error;
  });
  const files = await skill.files.list().catch(() => []);
  return {
    instructions,
    tokens: await tokensOf(registry, entry.name, instructions),
    license,
    compatibility,
    files: files.filter(({ kind }) => kind === "file").map(({ path, size }) => ({ path, size })),
    tools: tools.map(({ name, description }) => ({ name, description })),
  };
}

/** The size of all that an activation adds, as the chips of chats show it. Locked skills cannot be activated. */
async function tokensOf(registry: SkillRegistry, name: string, instructions: string): Promise<number> {
  try {
    return (await registry.preview(name)).tokens;
  } catch {
    return estimateTokens(instructions);
  }
}
