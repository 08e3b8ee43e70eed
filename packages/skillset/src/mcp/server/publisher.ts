import {
  SKILL_LIMITS,
  SkillCatalogError,
  type Skill as SkillEntry,
  type SkillFrontmatter,
  type SkillResourceEntry,
  skillEntry,
} from "@modelcontextprotocol/server/ext/skills";
import { SkillError, type SkillErrorCode } from "../../core/base/errors.ts";
import type { Skill, SkillFile } from "../../core/skill/skill.ts";
import { partsOf, type SkillParts } from "../../core/skill/skill-parts.ts";
import { sha256 } from "../../core/text/sha256.ts";

/** A skill with the URI, digest and size of each of its files. */
export interface Publication {
  readonly entry: SkillEntry;
  /** Keyed by the path within the skill. */
  readonly files: ReadonlyMap<string, SkillResourceEntry>;
  read(path: string): Promise<Uint8Array>;
}

export interface NotPublished {
  /** Why the extension rejects the skill. */
  readonly reason: string;
  readonly fix: string;
}

/** Cached data of a skill, so that only changed files are read again. */
interface Known {
  readonly files: Map<string, { readonly stamp: string; readonly resource: SkillResourceEntry }>;
  frontmatter?: { readonly digest: string; readonly value: SkillFrontmatter };
}

/** Creates entries for the Skills extension; the SDK validates them. */
export class Publisher {
  readonly #known = new WeakMap<Skill, Known>();

  async publish(skill: Skill): Promise<Publication | NotPublished> {
    try {
      return await this.#build(skill);
    } catch (error) {
      if (error instanceof SkillCatalogError)
        return { reason: error.problems.map(({ message }) => message).join("; "), fix: MAKE_VALID };
      if (error instanceof SkillError || error instanceof URIError) {
        const fix = "code" in error ? FIXES[error.code] : undefined;
        return { reason: error.message.replace(/\.$/, ""), fix: fix ?? MAKE_VALID };
      }
      // The folder is missing or unreadable; the other skills are unaffected.
      const { code, syscall } = error as NodeJS.ErrnoException;
      if (syscall !== undefined)
        return { reason: `it cannot be read (${code})`, fix: "Check the permissions of its files." };
      throw error;
    }
  }

  async #build(skill: Skill): Promise<Publication> {
    const known: Known = this.#known.get(skill) ?? { files: new Map() };
    this.#known.set(skill, known);
    const { files: parts, read } = await publishedParts(skill);
    checkSize(parts);
    const files = new Map<string, SkillResourceEntry>();
    for (const { path, stamp } of parts) {
      const cached = known.files.get(path);
      const isFresh = stamp !== undefined && cached?.stamp === stamp;
      const resource = isFresh ? cached.resource : await describe(skill.name, path, await read(path));
      if (stamp !== undefined) known.files.set(path, { stamp, resource });
      files.set(path, resource);
    }
    const manifest = files.get("SKILL.md");
    if (manifest === undefined) throw new SkillError("resource-not-found", "SKILL.md is missing");
    if (known.frontmatter?.digest !== manifest.digest) {
      const { frontmatter } = await skillEntry(skill.name, { "SKILL.md": await read("SKILL.md") });
      known.frontmatter = { digest: manifest.digest, value: frontmatter };
    }
    const { uri } = manifest;
    return { entry: { uri, frontmatter: known.frontmatter.value, resources: [...files.values()] }, files, read };
  }
}

const MAKE_VALID = "Fix the problems that 'skillset validate --strict' reports.";

const FIXES: Partial<Record<SkillErrorCode, string>> = {
  "skill-too-large": "Remove files that the skill does not need, or split it.",
  "skill-locked": "Remove 'disable-model-invocation' if models may use the skill.",
};

/** Returns the URI of a file or folder in a published skill. */
export function addressOf(name: string, path: string): string {
  return `skill://${[name, ...path.split("/")].map(encodeURIComponent).join("/")}`;
}

/** Hidden files are not published. */
async function publishedParts(skill: Skill): Promise<SkillParts> {
  if (!skill.modelInvocable) throw new SkillError("skill-locked", "models may not activate it");
  if (skill.isServed) throw new SkillError("resource-not-found", "it comes from another server, which publishes it");
  const { files, read } = await partsOf(skill);
  return { files: files.filter(({ path }) => !/(?:^|\/)\./.test(path)), read };
}

async function describe(name: string, path: string, bytes: Uint8Array): Promise<SkillResourceEntry> {
  return { uri: addressOf(name, path), digest: await sha256(bytes), size: bytes.byteLength };
}

/** Runs before any file is read. */
function checkSize(parts: readonly SkillFile[]): void {
  const bytes = parts.reduce((sum, { size }) => sum + size, 0);
  if (parts.length <= SKILL_LIMITS.files && bytes <= SKILL_LIMITS.bytes) return;
  const most = `${SKILL_LIMITS.files} files and ${SKILL_LIMITS.bytes} bytes`;
  throw new SkillError(
    "skill-too-large",
    `it has ${parts.length} files and ${bytes} bytes; at most ${most} are allowed`,
  );
}
