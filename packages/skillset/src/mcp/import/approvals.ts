import type { Skill as PublishedSkill } from "@modelcontextprotocol/client/ext/skills";
import { SkillError } from "../../core/base/errors.ts";
import { visibleText } from "../../core/text/escape.ts";
import { sha256 } from "../../core/text/sha256.ts";

/** A skill from another program that needs approval, exactly as it is now. */
export interface SkillApproval {
  /** The server's name, as passed to `importSkills`. */
  readonly server: string;
  /** The URI of its SKILL.md on the server. */
  readonly uri: string;
  /** The skill's name on the server. */
  readonly name: string;
  /** The skill's description. */
  readonly description: string;
  /** Every file with its digest and size; `dynamic` if the server does not list them, so nothing can be verified. */
  readonly resources: PublishedSkill["resources"];
  /**
   * The digest of all files. Store it with the answer, which is valid while the digest stays the same. Undefined for
   * dynamic skills.
   */
  readonly digest?: string;
}

/** Decides whether a skill may be used. */
export type ApproveSkill = (skill: SkillApproval) => boolean | Promise<boolean>;

/** The approved skills of a server and their content. A changed skill requires a new approval. */
export class Approvals {
  readonly #server: string;
  readonly #approve: ApproveSkill;
  readonly #answers = new Map<string, { readonly digest: string; readonly answer: Promise<boolean> }>();

  constructor(server: string, approve: ApproveSkill) {
    this.#server = server;
    this.#approve = approve;
  }

  /**
   * Throws unless the skill is approved in its current state. `anew` asks again for approved skills that cannot be
   * verified.
   */
  async demand(entry: PublishedSkill, { anew = false } = {}): Promise<void> {
    const { uri, resources, frontmatter } = entry;
    const digest = await digestOf(entry);
    const known = this.#answers.get(uri);
    const isSame = known?.digest === digest && !(anew && resources === "dynamic");
    const answer = isSame ? known.answer : this.#ask(entry, digest);
    if (!isSame) this.#answers.set(uri, { digest, answer });
    let failure: unknown;
    try {
      if (await answer) return;
    } catch (error) {
      failure = error;
    }
    // Only approvals are remembered: a person may reconsider a refusal.
    if (this.#answers.get(uri)?.answer === answer) this.#answers.delete(uri);
    const message = `Skill '${this.#server}:${frontmatter.name}' was not approved, so it cannot be used.`;
    throw new SkillError("skill-locked", message, { cause: failure });
  }

  async #ask({ uri, frontmatter: { name, description }, resources }: PublishedSkill, digest: string): Promise<boolean> {
    const isDynamic = resources === "dynamic";
    const answer = await this.#approve({
      server: this.#server,
      uri,
      // Invisible characters must not hide anything from the person who decides.
      name: visibleText(name),
      description: visibleText(description),
      resources,
      ...(!isDynamic && { digest }),
    });
    return answer === true;
  }
}

/** Returns a digest of the URIs, digests and sizes of all files. */
export function digestOf({ uri, resources }: PublishedSkill): Promise<string> {
  if (resources === "dynamic") return sha256(`dynamic ${uri}`);
  const lines = resources.map((one) => `${one.uri} ${one.digest} ${one.size}\n`).sort();
  return sha256(lines.join(""));
}
