import { acpProgramCalled } from "../../agents/find-agent.ts";
import { SkillError } from "../../core/base/errors.ts";
import { realPath } from "../../node/files/real-path.ts";
import type { AgentLink } from "./agent-link.ts";

/** A link held for the length of a conversation. */
export interface Lease {
  readonly link: AgentLink;
  release(): Promise<void>;
}

/**
 * The links to an agent. Most agents need only one. For agents whose conversations interfere with each other, every
 * further conversation starts its own process.
 */
export class AgentPool {
  readonly link: AgentLink;
  readonly #startAnother: ((signal: AbortSignal | undefined) => Promise<AgentLink>) | undefined;
  readonly #folders = new Set<string>();
  readonly #others = new Set<AgentLink>();
  readonly #closing = new AbortController();

  constructor(link: AgentLink, startAnother?: (signal: AbortSignal | undefined) => Promise<AgentLink>) {
    this.link = link;
    this.#startAnother = startAnother;
  }

  /** Aborted when the pool is closed. */
  get closed(): AbortSignal {
    return this.#closing.signal;
  }

  async lease(cwd: string, signal: AbortSignal | undefined): Promise<Lease> {
    const { conversations } = acpProgramCalled(this.link.name) ?? {};
    if (this.#startAnother === undefined || conversations === undefined)
      return { link: this.link, release: async () => {} };
    const folder = conversations === "one" ? "" : realPath(cwd);
    if (!this.#folders.has(folder)) {
      this.#folders.add(folder);
      return { link: this.link, release: async () => void this.#folders.delete(folder) };
    }
    const until = AbortSignal.any([this.closed, ...(signal ? [signal] : [])]);
    until.throwIfAborted();
    const link = await this.#startAnother(until);
    this.#others.add(link);
    return {
      link,
      release: async () => {
        this.#others.delete(link);
        await link.close();
      },
    };
  }

  async close(): Promise<void> {
    this.#closing.abort(new SkillError("agent-failed", "The agent was closed."));
    await Promise.all([this.link, ...this.#others].map((link) => link.close()));
  }
}
