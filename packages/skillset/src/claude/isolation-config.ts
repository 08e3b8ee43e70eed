import { statSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../agents/agent-definition.ts";
import { claude } from "../agents/claude.ts";
import { checkOptions, type OptionTable } from "../core/text/check-options.ts";
import { changeSettings } from "../node/install/change-settings.ts";
import type { PromptHome } from "../prompt/agent/prompt-home.ts";
import type { NetworkPolicy } from "./network-policy.ts";

/** Options for `IsolationConfig`. */
export interface IsolationConfigOptions {
  /**
   * The hosts that the agent may reach.
   * @default all hosts
   */
  readonly networkPolicy?: NetworkPolicy;
  /**
   * Claude Code's sandbox for commands. A network policy applies to commands only inside the sandbox.
   * @default true with a `networkPolicy`, false otherwise
   */
  readonly sandbox?: boolean | SandboxConfig;
  /**
   * Whether skills without tools are installed for the agent. If false, all skills stay in the prompt.
   * @default true
   */
  readonly installSkills?: boolean;
  /**
   * Environment variables for the agent, in addition to `PATH`, its home, and the variables for the API and its key.
   * @default {}
   */
  readonly env?: Readonly<Record<string, string>>;
  /** A Claude folder (`~/.claude`) whose settings and login the agent uses. */
  readonly configDir?: string;
}

/** Options for Claude Code's sandbox. */
export interface SandboxConfig {
  /**
   * Whether the evaluation fails if the sandbox is unavailable.
   * @default true
   */
  readonly failIfUnavailable?: boolean;
  /**
   * Folders that commands may write to, in addition to the working folder.
   * @default []
   */
  readonly allowWrite?: readonly string[];
  /**
   * Files and folders that commands must not read, such as your home. The working folder must not be in one.
   * @default []
   */
  readonly denyRead?: readonly string[];
}

/** A separate home for one evaluation, and what the agent may do in it. */
export class IsolationConfig {
  readonly networkPolicy: NetworkPolicy | undefined;
  readonly sandbox: SandboxConfig | undefined;
  readonly installSkills: boolean;
  readonly env: Readonly<Record<string, string>>;
  readonly configDir: string | undefined;

  constructor(options: IsolationConfigOptions = {}) {
    checkOptions("new IsolationConfig()", options, OPTIONS);
    const { networkPolicy, sandbox, installSkills = true, env = {}, configDir } = options;
    if (typeof sandbox !== "boolean") checkOptions("'sandbox'", sandbox, SANDBOX_OPTIONS);
    this.networkPolicy = networkPolicy;
    this.sandbox =
      sandbox === true || (sandbox === undefined && networkPolicy !== undefined) ? {} : sandbox || undefined;
    this.installSkills = installSkills;
    this.env = Object.freeze({ ...env });
    this.configDir = configDir;
    Object.freeze(this);
  }
}

/**
 * Adds the isolation rules to the settings in the agent's home, so that Claude Code enforces them. `readOnly` has further
 * paths that it must not change: modes are not enough, because it runs as their owner.
 */
export function writeSettings(
  { home, skillsDir }: Pick<PromptHome, "home" | "skillsDir">,
  { networkPolicy, sandbox }: IsolationConfig,
  readOnly: readonly string[],
): void {
  const { file, denyEdits } = claude.home.settings;
  const { deny, allow } = networkRules(networkPolicy);
  const isFile = (path: string): boolean => statSync(path).isFile();
  const denied = [...deny, ...readOnly.filter(isFile).map((path) => `Edit(/${path})`)];
  changeSettings(join(home, file), (settings) => {
    const permissions = (settings.permissions ?? {}) as Permissions;
    const changed: JsonObject = {
      ...settings,
      permissions: {
        ...permissions,
        deny: [...(permissions.deny ?? []), ...denied],
        ...(allow.length > 0 && { allow: [...(permissions.allow ?? []), ...allow] }),
      },
      ...(sandbox !== undefined && { sandbox: sandboxSettings(sandbox, networkPolicy, [skillsDir, ...readOnly]) }),
    };
    return readOnly.filter((path) => !isFile(path)).reduce<JsonObject>(denyEdits, changed);
  });
}

interface Permissions {
  readonly deny?: readonly string[];
  readonly allow?: readonly string[];
}

/** The rules for Claude's web tools: WebSearch can reach any host, WebFetch only the given one. */
function networkRules(policy: NetworkPolicy | undefined) {
  if (policy === undefined) return { deny: [], allow: [] };
  const allow = policy.allowedDomains.map((domain) => `WebFetch(domain:${domain})`);
  return { deny: allow.length === 0 ? ["WebFetch", "WebSearch"] : ["WebSearch"], allow };
}

function sandboxSettings(
  { failIfUnavailable = true, allowWrite = [], denyRead = [] }: SandboxConfig,
  networkPolicy: NetworkPolicy | undefined,
  readOnly: readonly string[],
) {
  return {
    enabled: true,
    failIfUnavailable,
    allowUnsandboxedCommands: false,
    ...(networkPolicy && { network: { allowedDomains: networkPolicy.allowedDomains, strictAllowlist: true } }),
    filesystem: {
      denyWrite: readOnly,
      ...(allowWrite.length > 0 && { allowWrite }),
      ...(denyRead.length > 0 && { denyRead }),
    },
  };
}

const SANDBOX_OPTIONS: OptionTable<SandboxConfig> = { failIfUnavailable: true, allowWrite: true, denyRead: true };

const OPTIONS: OptionTable<IsolationConfigOptions> = {
  networkPolicy: true,
  sandbox: true,
  installSkills: true,
  env: true,
  configDir: true,
};
