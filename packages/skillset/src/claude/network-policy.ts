import { SkillError } from "../core/base/errors.ts";

/** Which hosts the agent, and the commands that it runs, may reach. */
export class NetworkPolicy {
  readonly allowedDomains: readonly string[];

  /** Only these hosts; `*.example.com` stands for all below one. */
  constructor({ allowedDomains = [] }: { readonly allowedDomains?: readonly string[] } = {}) {
    const wrong = allowedDomains.find((domain) => !/^(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*$/i.test(domain));
    if (wrong !== undefined)
      throw new SkillError(
        "option-invalid",
        `'allowedDomains' takes names of hosts, without scheme or port; got '${wrong}'.`,
      );
    this.allowedDomains = Object.freeze([...allowedDomains]);
    Object.freeze(this);
  }

  /** What a hook says to a tool that wants to fetch something: nothing, or no. */
  decide(input: unknown): object {
    const { url } = (input ?? {}) as { url?: unknown };
    const host = URL.parse(String(url))?.hostname.toLowerCase() ?? "";
    if (this.allowedDomains.some((domain) => isWithin(domain.toLowerCase(), host))) return {};
    const permissionDecisionReason = "The network policy does not allow this host.";
    return {
      hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason },
    };
  }

  /** None at all: what a skill may not send away, it cannot leak. */
  static noNetwork(): NetworkPolicy {
    return new NetworkPolicy();
  }
}

function isWithin(domain: string, host: string): boolean {
  return domain.startsWith("*.") ? host.endsWith(domain.slice(1)) : host === domain;
}
