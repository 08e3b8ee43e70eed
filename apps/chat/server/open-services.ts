import { SkillError } from "skillset";
import type { ScriptRunner } from "skillset/scripts";
import type { ChatMessage } from "../shared/api.ts";
import { AnswerLog } from "./answers/answer-log.ts";
import { recoverAnswers } from "./answers/recover-answers.ts";
import { AttachmentStore } from "./attachments/attachment-store.ts";
import { AnswerLeases } from "./chats/answer-leases.ts";
import { BinStore } from "./chats/bin-store.ts";
import { BranchStore } from "./chats/branch-store.ts";
import { ChatStore } from "./chats/chat-store.ts";
import { fillMessages } from "./chats/fill-messages.ts";
import { RecentTexts } from "./chats/recent-texts.ts";
import type { Config, Environment, SkillsConfig } from "./config/config.ts";
import { StartError } from "./config/start-error.ts";
import type { Database, Queries } from "./database/database.ts";
import { onFullDisk } from "./database/free-space.ts";
import { openDatabase } from "./database/open-database.ts";
import { AdminAccess } from "./http/admin-access.ts";
import { openAdminToken } from "./http/admin-token.ts";
import { AppEvents } from "./http/app-events.ts";
import { createClientAddress } from "./http/client-address.ts";
import { ClientLimits } from "./limits/client-limits.ts";
import { createModels, DefaultModelError, type Models } from "./models/models.ts";
import { reasonOf } from "./observe/error-reason.ts";
import type { Log } from "./observe/log.ts";
import { Metrics } from "./observe/metrics.ts";
import { createRedact } from "./observe/redact.ts";
import type { Services } from "./services.ts";
import { ChatSessions } from "./skills/chat-sessions.ts";
import { ConsentStore } from "./skills/consent-store.ts";
import { LiveScripts } from "./skills/live-scripts.ts";
import { SkillRegistry } from "./skills/loaded-skills.ts";
import { type ChatScripts, openScripts } from "./skills/script-options.ts";
import { DatabaseSessionStore } from "./skills/session-store.ts";
import { SwitchStore } from "./skills/switch-store.ts";
import { UsageStore } from "./skills/usage-store.ts";
import { StepStore } from "./steps/step-store.ts";
import { sweepBin } from "./sweep-bin.ts";
import type { ChatSkills } from "./turns/chat-skills.ts";
import { removeOwnFiles } from "./turns/remove-files.ts";
import { RunningAnswers } from "./turns/running-answers.ts";

export interface OpenOptions {
  readonly environment: Environment;
  readonly log: Log;
  readonly webRoot: string;
  readonly onProgress?: (line: string) => void;
  /** An open database, for tests. */
  readonly database?: Database;
  /** What runs scripts, for tests. */
  readonly scriptRunner?: ScriptRunner;
  /** The lease of running answers in seconds. A server that does not renew it in time counts as dead. */
  readonly leaseSeconds?: number;
}

/** Opens everything except the HTTP server, and returns a function that closes it. */
export async function openServices(
  config: Config,
  { environment, log, webRoot, onProgress = () => {}, database: given, leaseSeconds, scriptRunner }: OpenOptions,
): Promise<{ readonly services: Services; readonly close: () => Promise<void> }> {
  onProgress("Opening the database…");
  const database = given ?? (await openDatabase(config.database, log));
  log.info("database-opened", { place: database.place });
  if (database.searchProblem !== undefined) {
    const fix = "Run 'CREATE EXTENSION pg_trgm' in the database as a superuser, then restart the chat.";
    log.warn("search-not-indexed", { reason: database.searchProblem, fix });
  }
  let registry: SkillRegistry | undefined;
  let leases: NodeJS.Timeout | undefined;
  let endSweeps: (() => Promise<void>) | undefined;
  const close = async (): Promise<void> => {
    clearInterval(leases);
    await endSweeps?.();
    await registry?.close();
    await database.close();
  };
  try {
    const { queries } = database;
    const { binDays } = config.database;
    const answerLeases = new AnswerLeases({ recover: recoverAnswers, seconds: leaseSeconds });
    const chats = new ChatStore(database, answerLeases, { hasBin: binDays > 0 });
    if (!database.isShared) await onFullDisk(() => chats.cutUnfinished());
    if (!database.canWrite()) {
      const fix = "Free some disk space, or delete chats and empty the bin in the chat.";
      log.warn("disk-nearly-full", { place: database.place, fix });
    }
    const events = new AppEvents();
    if (config.skills !== null) {
      onProgress("Loading skills…");
      // npm starts programs in the folder of their package.
      const startFolder = environment.INIT_CWD || process.cwd();
      const scripts = await openScripts(config, config.skills, { environment, log, runner: scriptRunner });
      registry = await openRegistry(config, config.skills, { startFolder, scripts, queries, log, events });
    }
    onProgress("Preparing models…");
    const models = openModels(config, environment, registry);
    const fill = async (chatId: string, message: ChatMessage): Promise<ChatMessage> =>
      (await fillMessages([...(await chats.messages(chatId)), message], registry)).at(-1) ?? message;
    const clientOf = createClientAddress(config.server.trustedProxies);
    const { tokenEnv } = config.admin;
    const adminToken = await openAdminToken(queries, environment[tokenEnv]);
    const services: Services = {
      config,
      database,
      chats,
      bin: new BinStore(database, { days: binDays }),
      branches: new BranchStore(database, answerLeases),
      attachments: config.attachments ? new AttachmentStore(queries, config.attachments, database) : undefined,
      answerLog: new AnswerLog(database, { log, fill }),
      usage: new UsageStore(queries),
      steps: new StepStore(queries),
      models,
      adminToken,
      admin: new AdminAccess({ token: adminToken, tokenEnv, clientOf, log }),
      running: new RunningAnswers(),
      events,
      limits: new ClientLimits(config.limits, clientOf),
      log,
      metrics: new Metrics(),
      redact: createRedact(config.projectRoot),
      skills: (config.skills && registry && openChatSkills(registry, config.skills, { queries, events })) ?? undefined,
      webRoot,
    };
    registerGauges(services);
    followNotices(services);
    leases = keepLeases(services);
    endSweeps = sweepBin(services);
    return { services, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Reports errors in models as errors in the settings. */
function openModels(
  { models, file, placeOf }: Config,
  environment: Environment,
  registry: SkillRegistry | undefined,
): Models {
  try {
    return createModels(models, environment, registry);
  } catch (error) {
    const place = error instanceof DefaultModelError ? placeOf(["models", "default"]) : file;
    throw new StartError(`${place}: ${reasonOf(error)}`);
  }
}

function openChatSkills(
  registry: SkillRegistry,
  { consentSeconds }: SkillsConfig,
  { queries, events }: { readonly queries: Queries; readonly events: AppEvents },
): ChatSkills {
  const onChange = (): void => events.emit({ type: "chats-changed" });
  const consents = new ConsentStore(queries);
  const scripts = new LiveScripts({ consents, consentSeconds, onChange });
  const sessions = new ChatSessions(registry, new DatabaseSessionStore(queries), scripts);
  return { registry, sessions, recent: new RecentTexts(), scripts, consents };
}

interface OpenRegistryOptions {
  readonly startFolder: string;
  readonly scripts: ChatScripts;
  readonly queries: Queries;
  readonly log: Log;
  readonly events: AppEvents;
}

/** Reports an unknown or invalid profile as an error in the settings. */
async function openRegistry(
  { projectRoot, placeOf }: Pick<Config, "placeOf" | "projectRoot">,
  config: SkillsConfig,
  { startFolder, scripts, queries, log, events }: OpenRegistryOptions,
): Promise<SkillRegistry> {
  return SkillRegistry.open({
    config,
    projectRoot,
    startFolder,
    scripts,
    switches: new SwitchStore(queries),
    log,
    onChange: ({ added, changed, removed }) =>
      events.emit({
        type: "skills-changed",
        added: added.length,
        changed: changed.length,
        removed: removed.length,
      }),
    onSwitch: ({ added, removed }) => events.emit({ type: "skills-switched", on: added, off: removed }),
  }).catch((error: unknown) => {
    if (!(error instanceof SkillError) || error.code !== "config-invalid") throw error;
    throw new StartError(`${placeOf(["app", "skills", "profile"])}: ${error.message}`);
  });
}

const STARTED = Math.round(Date.now() / 1000 - process.uptime());

/** Registers the gauges for operators. */
function registerGauges({
  events,
  metrics,
  running,
  skills,
}: Pick<Services, "events" | "metrics" | "running" | "skills">): void {
  metrics.gauge("chat_answers_running", "Running answers.", () => running.size);
  metrics.gauge("chat_pages_open", "Pages that listen for events.", () => events.listeners);
  metrics.gauge("process_resident_memory_bytes", "Resident memory in bytes.", () => process.memoryUsage.rss());
  metrics.gauge("process_start_time_seconds", "Start time of the process, as a Unix timestamp.", () => STARTED);
  if (skills) metrics.gauge("chat_skills_enabled", "Enabled skills.", () => skills.registry.current.size);
}

type Notified = Pick<Services, "database" | "events" | "log" | "running" | "skills">;

/** Handles notices from other servers on the same database. */
function followNotices({ database, events, log, running, skills }: Notified): void {
  const report = (error: unknown): void => log.error("notice-failed", { reason: reasonOf(error) });
  database.onNotice((notice) => {
    if (notice.startsWith("stop ")) return void running.stop(notice.slice("stop ".length));
    if (notice.startsWith("removed ")) {
      const [, ...chatIds] = notice.split(" ");
      return void Promise.all(chatIds.map((id) => removeOwnFiles(id, skills))).catch(report);
    }
    // After missed notices, everything may have changed.
    if (notice === "chats" || notice === "missed") events.emit({ type: "chats-changed" });
    if (notice === "switches" || notice === "missed") skills?.registry.readSwitches().catch(report);
    if (notice === "rescan") skills?.registry.rescan().catch(report);
  });
}

/** Renews this server's leases, and notifies pages of answers whose server died. */
function keepLeases({
  answerLog,
  chats,
  events,
  log,
  running,
}: Pick<Services, "answerLog" | "chats" | "events" | "log" | "running">): NodeJS.Timeout {
  let isBusy = false;
  const keep = async (): Promise<void> => {
    if (isBusy) return;
    isBusy = true;
    try {
      const cut = await chats.keepLeases(() => running.ids);
      if (cut.length === 0) return;
      answerLog.check(cut);
      events.emit({ type: "chats-changed" });
    } catch (error) {
      log.warn("leases-not-kept", { reason: reasonOf(error) });
    } finally {
      isBusy = false;
    }
  };
  return setInterval(() => void keep(), (chats.leases.seconds * 1000) / 4).unref();
}
