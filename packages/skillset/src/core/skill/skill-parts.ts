import { SkillError } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";
import { toSkillMd } from "./serialise.ts";
import type { ReadOptions, Skill, SkillFile } from "./skill.ts";
import { documentTools } from "./tool-docs.ts";

/** Every file of a skill, SKILL.md included. */
export interface SkillParts {
  readonly files: readonly SkillFile[];
  read(path: string, options?: ReadOptions): Promise<Uint8Array>;
}

/** A skill in code has no SKILL.md, so it is written here, with its tools described. */
export async function partsOf(skill: Skill, options: ReadOptions = {}): Promise<SkillParts> {
  const listed = (await skill.files.list(".", options)).filter(({ kind }) => kind === "file");
  if (listed.some(({ path }) => path === "SKILL.md"))
    return { files: listed, read: (path, reading) => skill.files.read(path, reading) };
  const body = await skill.instructions(options);
  const bytes = new TextEncoder().encode(toSkillMd({ ...skill, body: body + documentTools(skill, body) }));
  const manifest: SkillFile = { path: "SKILL.md", kind: "file", size: bytes.length, stamp: "code" };
  return {
    files: [manifest, ...listed],
    read: async (path, reading) => (path === "SKILL.md" ? bytes : skill.files.read(path, reading)),
  };
}

/** The content of every file by its path; throws when there is more than a skill may have. */
export async function readAll(
  { files, read }: SkillParts,
  options: ReadOptions = {},
): Promise<ReadonlyMap<string, Uint8Array>> {
  const contents = new Map<string, Uint8Array>();
  let total = 0;
  for (const { path } of files) {
    const bytes = await read(path, options);
    total += bytes.byteLength;
    if (total > LIMITS.hard.skill)
      throw new SkillError("skill-too-large", `The skill has more than ${LIMITS.hard.skill} bytes.`);
    contents.set(path, bytes);
  }
  return contents;
}
