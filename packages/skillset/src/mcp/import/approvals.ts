import type { Skill as PublishedSkill } from "@modelcontextprotocol/client/ext/skills";
import { SkillError } from "../../core/base/errors.ts";
import { visibleText } from "../../core/text/escape.ts";
import { sha256 } from "../../core/text/sha256.ts";

/** What somebody is asked to approve: a skill of another program, exactly as it is now. */
export interface SkillApproval {
  readonly server: string;
  /** The address of its SKILL.md on the server. */
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  /** Every file with its digest and size; `dynamic` when the server does not say, and then nothing can be verified. */
  readonly resources: PublishedSkill["resources"];
  /** Stands for all of them: remember it, and the answer holds as long as it is the same. Absent when dynamic. */
  readonly digest?: string;
}

export type ApproveSkill = (skill: SkillApproval) => boolean | Promise<boolean>;

/** Which skills of a server were approved, with which content. A skill of which anything changed is asked for again. */
export class Approvals {
  readonly #server: string;
  readonly #approve: ApproveSkill;
  readonly #answers = new Map<string, { readonly digest: string; readonly answer: Promise<boolean> }>();

  constructor(server: string, approve: ApproveSkill) {
    this.#server = server;
    this.#approve = approve;
  }

  /** Throws unless the skill is approved as it is; `anew` asks even for what was approved but cannot be verified. */
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
    // Only a yes is remembered: the person may think again.
    if (this.#answers.get(uri)?.answer === answer) this.#answers.delete(uri);
    const message = `Skill '${this.#server}:${frontmatter.name}' was not approved, so it cannot be used.`;
    throw new SkillError("skill-locked", message, { cause: failure });
  }

  async #ask({ uri, frontmatter: { name, description }, resources }: PublishedSkill, digest: string): Promise<boolean> {
    const isDynamic = resources === "dynamic";
    const answer = await this.#approve({
      server: this.#server,
      uri,
      // What a person decides by must not be able to hide anything.
      name: visibleText(name),
      description: visibleText(description),
      resources,
      ...(!isDynamic && { digest }),
    });
    return answer === true;
  }
}

/** Stands for the addresses and digests of all files. */
export function digestOf({ uri, resources }: PublishedSkill): Promise<string> {
  if (resources === "dynamic") return sha256(`dynamic ${uri}`);
  const lines = resources.map((one) => `${one.uri} ${one.digest} ${one.size}\n`).sort();
  return sha256(lines.join(""));
}
