import { SkillError } from "../core/base/errors.ts";
import { checkOptions } from "../core/text/check-options.ts";

/** The hosts that the agent and its commands may reach. */
export class NetworkPolicy {
  readonly allowedDomains: readonly string[];

  /** Allows only these hosts; `*.example.com` matches every subdomain of example.com. */
  constructor(options: { readonly allowedDomains?: readonly string[] } = {}) {
    checkOptions("new NetworkPolicy()", options, { allowedDomains: true });
    const { allowedDomains = [] } = options;
    const wrong = allowedDomains.find((domain) => !/^(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*$/i.test(domain));
    if (wrong !== undefined)
      throw new SkillError(
        "option-invalid",
        `'allowedDomains' must contain host names without scheme or port; got '${wrong}'.`,
      );
    this.allowedDomains = Object.freeze([...allowedDomains]);
    Object.freeze(this);
  }

  /** The hook response to a fetch: empty to allow it, or a denial. */
  decide(input: unknown): object {
    const { url } = (input ?? {}) as { url?: unknown };
    const host = URL.parse(String(url))?.hostname.toLowerCase() ?? "";
    if (this.allowedDomains.some((domain) => isWithin(domain.toLowerCase(), host))) return {};
    return denial("The network policy does not allow this host.");
  }

  /** Blocks all network access, so that a skill cannot leak data. */
  static noNetwork(): NetworkPolicy {
    return new NetworkPolicy();
  }
}

/** The response of a hook that denies a call. */
export function denial(permissionDecisionReason: string): object {
  return { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason } };
}

function isWithin(domain: string, host: string): boolean {
  return domain.startsWith("*.") ? host.endsWith(domain.slice(1)) : host === domain;
}
