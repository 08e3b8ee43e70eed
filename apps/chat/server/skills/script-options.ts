import { join } from "node:path";
import type { Problem } from "skillset";
import { createScriptRunner, environmentSecrets, type ScriptOptions, type ScriptRunner } from "skillset/scripts";
import type { Config, SkillsConfig } from "../config/config.ts";
import { isLocalHost } from "../http/guard.ts";
import type { Log } from "../observe/log.ts";

/** What runs the scripts of skills, or why nothing does. */
export interface ChatScripts {
  /** Undefined if no script can run. */
  readonly options?: ScriptOptions;
  readonly problems: readonly Problem[];
}

export interface OpenScriptsOptions {
  /** The variables of the server. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
  /** A runner for tests. It replaces the one that the settings name. */
  readonly runner?: ScriptRunner | undefined;
}

/** Chooses and tests the runner that the settings name. A runner that does not work is a problem, never replaced. */
export async function openScripts(
  { server, database }: Pick<Config, "server" | "database">,
  skills: SkillsConfig,
  { environment, log, runner: given }: OpenScriptsOptions,
): Promise<ChatScripts> {
  if (skills.scripts === "off") return { problems: [] };
  const reason = reachableThrough(server);
  if (reason !== undefined) {
    log.warn("scripts-disabled", { reason: `Scripts run only on a server that no other machine can reach: ${reason}` });
    return { problems: [] };
  }
  const found = await createScriptRunner(given ?? skills.scripts);
  const broken = found.warnings.map((message): Problem => ({ code: "sandbox-broken", severity: "warning", message }));
  if (found.runner === undefined) {
    const { reason: why, fix } = found;
    const disabled: Problem = {
      code: "scripts-disabled",
      severity: "warning",
      message: `Scripts are disabled: ${why}`,
      ...(fix && { fix: `${fix}${fix.includes(SANDBOX) ? WITH_NPX : ""}` }),
    };
    return { problems: [...broken, disabled] };
  }
  const { runner } = found;
  const missing = skills.scriptEnv.filter((name) => (environment[name] ?? "") === "");
  if (missing.length > 0) log.warn("script-variables-missing", { variables: missing.join(", ") });
  log.info("scripts-enabled", { sandbox: runner.level });
  return {
    options: {
      // It has just been tested, and each change of a switch opens the skills again.
      runner: { ...runner, check: async () => undefined, run: (job) => runner.run(job) },
      ...(skills.scriptEnv.length > 0 && { secrets: environmentSecrets(skills.scriptEnv, environment) }),
      folder: join(database.folder, "script-files"),
      keepFor: skills.scriptFilesDays * 24 * 60 * 60 * 1000,
      limits: { time: skills.scriptSeconds * 1000, memory: skills.scriptMemoryMb * 1024 * 1024 },
    },
    problems: broken,
  };
}

const SANDBOX = "@skillset/sandbox";
/** Packages that npx runs are not in the project. */
const WITH_NPX = `. With npx: 'npx -p @skillset/chat -p ${SANDBOX} skillset-chat'.`;

/** Everyone who can reach the chat can allow a script, so a proxy counts as well. */
function reachableThrough({ host, allowedHosts, trustedProxies }: Config["server"]): string | undefined {
  if (!isLocalHost(host)) return `'server.host' is '${host}'.`;
  if (allowedHosts.length > 0) return "'server.allowed_hosts' is set.";
  return trustedProxies.length > 0 ? "'server.trusted_proxies' is set." : undefined;
}
