import type { Skill as PublishedSkill, SkillsClient } from "@modelcontextprotocol/client/ext/skills";
import { SkillError } from "../../core/base/errors.ts";
import { LIMITS } from "../../core/base/limits.ts";
import { untilAborted } from "../../core/base/until-aborted.ts";
import { trimBody } from "../../core/manifest/frontmatter.ts";
import type { Manifest } from "../../core/manifest/manifest.ts";
import { ManifestSkill } from "../../core/skill/manifest-skill.ts";
import type { McpOrigin, ReadOptions, Skill, SkillFile, SkillFiles } from "../../core/skill/skill.ts";
import { decodeUri } from "../../core/text/decode-uri.ts";
import { normaliseRelative } from "../../core/text/relative-path.ts";
import { type Approvals, digestOf } from "./approvals.ts";

export interface ImportContext {
  readonly server: string;
  readonly skills: SkillsClient;
  readonly approvals: Approvals;
}

/** The number of times a skill may change while it is read. */
const MOST_ATTEMPTS = 2;
const NO_REQUESTS: readonly string[] = Object.freeze([]);

/** A skill from an MCP server. Its content is fetched only on use, and used only after verification. */
export class ImportedSkill extends ManifestSkill implements Skill {
  readonly origin: McpOrigin;
  readonly files: SkillFiles;
  readonly #context: ImportContext;
  #entry: PublishedSkill;

  constructor(manifest: Manifest, entry: PublishedSkill, digest: string, context: ImportContext) {
    // A server's `allowed-tools` are ignored.
    super({ ...manifest, name: `${context.server}:${manifest.name}`, allowedTools: NO_REQUESTS });
    this.origin = Object.freeze({ kind: "mcp", server: context.server, uri: entry.uri, digest });
    this.files = {
      list: async (directory = ".") => listFiles(this.#entry, directory),
      read: (path, options) => this.#readFile(path, options),
    };
    this.#context = context;
    this.#entry = entry;
    Object.freeze(this);
  }

  get location(): string {
    return this.origin.uri;
  }

  get provider(): string {
    return `MCP server '${this.origin.server}'`;
  }

  get isRemote(): boolean {
    return true;
  }

  get isServed(): boolean {
    return true;
  }

  get stamp(): string {
    const { digest } = this.origin;
    return [digest, this.description, this.modelInvocable, this.userInvocable].join("\0");
  }

  async instructions({ signal }: ReadOptions = {}): Promise<string> {
    const { body = "" } = await this.#fetch(undefined, { signal, anew: true });
    return trimBody(body);
  }

  digest(): Promise<string> {
    return digestOf(this.#entry);
  }

  async #readFile(given: string, { signal }: ReadOptions = {}): Promise<Uint8Array> {
    const path = normaliseRelative(given);
    const { resources } = this.#entry;
    if (resources !== "dynamic") {
      const listed = listFiles(this.#entry, ".").find((file) => file.path === path);
      if (listed === undefined)
        throw new SkillError(
          "resource-not-found",
          `Skill '${this.name}' has no file '${path.slice(0, LIMITS.shown.pathCharacters)}'.`,
        );
      if (listed.size > LIMITS.hard.file)
        throw new SkillError(
          "resource-too-large",
          `'${path}' has ${listed.size} bytes; at most ${LIMITS.hard.file} are allowed.`,
        );
    }
    const reference = path.split("/").map(encodeURIComponent).join("/");
    return (await this.#fetch(reference, { signal })).bytes;
  }

  /**
   * If a file does not match the listing, the skill may have changed: it is looked up again and needs a new approval.
   */
  async #fetch(reference: string | undefined, options: { signal: AbortSignal | undefined; anew?: boolean }) {
    const { skills, approvals } = this.#context;
    const sending = options.signal && { signal: options.signal };
    const { SkillVerificationError } = await import("@modelcontextprotocol/client/ext/skills");
    for (let attempt = 1; ; attempt++) {
      // Use one entry throughout: the content that is read must be the approved one, even if the entry changes
      // meanwhile.
      const entry = this.#entry;
      await untilAborted(options.signal, approvals.demand(entry, { anew: options.anew ?? false }));
      try {
        return await skills.read(entry, reference, sending);
      } catch (error) {
        if (!(error instanceof SkillVerificationError)) throw this.#failed(error);
        if (attempt > MOST_ATTEMPTS || !(await this.#refresh(entry, sending))) {
          const message = `Skill '${this.name}' does not match its published digest (${error.reason}) and was not loaded.`;
          throw new SkillError("verification-failed", message, { cause: error });
        }
      }
    }
  }

  /** Returns whether the server now publishes the skill with different content. */
  async #refresh(entry: PublishedSkill, options: { signal: AbortSignal } | undefined): Promise<boolean> {
    const before = await digestOf(entry);
    // Another read may have refreshed the entry already.
    if ((await digestOf(this.#entry)) !== before) return true;
    try {
      this.#entry = (await this.#context.skills.get(this.origin.uri, options)).skill;
    } catch {
      // If the server no longer lists the skill, the content stays unverified.
      return false;
    }
    return (await digestOf(this.#entry)) !== before;
  }

  #failed(error: unknown): SkillError {
    if (error instanceof SkillError) return error;
    const message = `Skill '${this.name}' cannot be read from MCP server '${this.#context.server}': ${(error as Error).message}`;
    return new SkillError("resource-not-found", message, { cause: error });
  }
}

/** Returns the files in the server's listing, without a request. */
function listFiles({ uri, resources }: PublishedSkill, directory: string): readonly SkillFile[] {
  if (resources === "dynamic") return [];
  const base = normaliseRelative(directory);
  const prefix = base === "." ? "" : `${base}/`;
  const root = uri.slice(0, -"SKILL.md".length);
  return resources
    .map((resource) => ({
      path: decodeUri(resource.uri.slice(root.length)),
      kind: "file" as const,
      size: resource.size,
    }))
    .filter(({ path }) => path.startsWith(prefix))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}
