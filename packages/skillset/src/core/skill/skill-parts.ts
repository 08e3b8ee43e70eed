import { SkillError } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";
import { toSkillMd } from "./serialise.ts";
import type { ReadOptions, Skill, SkillFile } from "./skill.ts";
import { documentTools } from "./tool-docs.ts";

/** Every file of a skill, including SKILL.md. */
export interface SkillParts {
  readonly files: readonly SkillFile[];
  read(path: string, options?: ReadOptions): Promise<Uint8Array>;
}

/** Returns a skill's files. For a skill in code, it generates a SKILL.md that also documents the tools. */
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

/** Reads every file, by path. Throws if they exceed the limits of a skill. */
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
