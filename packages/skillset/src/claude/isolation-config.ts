import { join } from "node:path";
import type { JsonObject } from "../agents/agent-definition.ts";
import { claude } from "../agents/claude.ts";
import { changeSettings } from "../node/install/change-settings.ts";
import type { NetworkPolicy } from "./network-policy.ts";

export interface IsolationConfigOptions {
  /** Which hosts may be reached; any by default. */
  readonly networkPolicy?: NetworkPolicy;
  /** Claude Code's own sandbox for commands. Needed for a network policy to hold for commands too, so it is on then. */
  readonly sandbox?: boolean | SandboxConfig;
  /** Whether skills without tools are installed for the agent; otherwise all of them stay in the prompt. */
  readonly installSkills?: boolean;
  /** What the agent finds in its environment, beside `PATH`, its home, and the variables that name the API and its key. */
  readonly env?: Readonly<Record<string, string>>;
  /** A Claude folder of yours (`~/.claude`) whose settings and sign-in the agent goes on using. */
  readonly configDir?: string;
}

export interface SandboxConfig {
  /** Whether the evaluation fails where the sandbox is not available; so by default. */
  readonly failIfUnavailable?: boolean;
  /** Folders beside the working folder that commands may write to. */
  readonly allowWrite?: readonly string[];
}

/** A home of its own for one evaluation, and what the agent may do from there. */
export class IsolationConfig {
  readonly networkPolicy: NetworkPolicy | undefined;
  readonly sandbox: SandboxConfig | undefined;
  readonly installSkills: boolean;
  readonly env: Readonly<Record<string, string>>;
  readonly configDir: string | undefined;

  constructor({ networkPolicy, sandbox, installSkills = true, env = {}, configDir }: IsolationConfigOptions = {}) {
    this.networkPolicy = networkPolicy;
    this.sandbox =
      sandbox === true || (sandbox === undefined && networkPolicy !== undefined) ? {} : sandbox || undefined;
    this.installSkills = installSkills;
    this.env = Object.freeze({ ...env });
    this.configDir = configDir;
    Object.freeze(this);
  }
}

/** Adds what the isolation says to the settings in the agent's home, so that the agent itself holds to it. */
export function writeSettings(home: string, { networkPolicy, sandbox }: IsolationConfig, skillsDir: string): void {
  const { file, denyEdits } = claude.home.settings;
  const { deny, allow } = networkRules(networkPolicy);
  changeSettings(join(home, file), (settings) => {
    const permissions = (settings.permissions ?? {}) as Permissions;
    const changed: JsonObject = {
      ...settings,
      permissions: {
        ...permissions,
        deny: [...(permissions.deny ?? []), ...deny],
        ...(allow.length > 0 && { allow: [...(permissions.allow ?? []), ...allow] }),
      },
      ...(sandbox !== undefined && { sandbox: sandboxSettings(sandbox, networkPolicy, skillsDir) }),
    };
    return denyEdits(changed, skillsDir);
  });
}

interface Permissions {
  readonly deny?: readonly string[];
  readonly allow?: readonly string[];
}

/** For Claude's own web tools: searching goes anywhere, fetching to one host. */
function networkRules(policy: NetworkPolicy | undefined) {
  if (policy === undefined) return { deny: [], allow: [] };
  const allow = policy.allowedDomains.map((domain) => `WebFetch(domain:${domain})`);
  return { deny: allow.length === 0 ? ["WebFetch", "WebSearch"] : ["WebSearch"], allow };
}

function sandboxSettings(
  { failIfUnavailable = true, allowWrite = [] }: SandboxConfig,
  networkPolicy: NetworkPolicy | undefined,
  skillsDir: string,
) {
  return {
    enabled: true,
    failIfUnavailable,
    allowUnsandboxedCommands: false,
    ...(networkPolicy && { network: { allowedDomains: networkPolicy.allowedDomains, strictAllowlist: true } }),
    filesystem: { denyWrite: [skillsDir], ...(allowWrite.length > 0 && { allowWrite }) },
  };
}
