import { readdirSync } from "node:fs";
import { join } from "node:path";
import { resolvePolicy } from "../core/manifest/policy.ts";
import { type SkillSnapshot, snapshotSkill } from "../core/skill/skill-snapshot.ts";
import { readSkillFolders } from "../node/skill-folder/read-skill-folder.ts";

/** A skill, with the text of each file by path. */
export interface InlinedSkill {
  readonly snapshot: SkillSnapshot;
  readonly texts: Readonly<Record<string, string>>;
}

const ROOT = join(import.meta.dirname, "../../skills");

/** The bundled skills. The package contains this value instead of the code here. */
export const INLINED: readonly InlinedSkill[] = await inlineSkills();

async function inlineSkills(): Promise<InlinedSkill[]> {
  const places = readdirSync(ROOT)
    .sort()
    .map((name) => ({ folder: join(ROOT, name), name, root: ROOT, scope: "bundled" as const, isGuarded: false }));
  const inlined: InlinedSkill[] = [];
  for (const reading of readSkillFolders(places, resolvePolicy({ policy: "strict" }), new Map())) {
    if (reading?.candidate.kind !== "skill") throw new Error(`A bundled skill is invalid: ${reading?.foundAs}.`);
    const { skill } = reading.candidate;
    const snapshot = { ...(await snapshotSkill(skill)), location: `skillset/${reading.foundAs}/SKILL.md` };
    const texts: Record<string, string> = {};
    for (const { path, kind } of snapshot.files)
      if (kind === "file") texts[path] = decode(await skill.files.read(path));
    inlined.push({ snapshot, texts });
  }
  return inlined;
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}
