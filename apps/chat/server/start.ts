import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createAdaptorServer } from "@hono/node-server";
import type { Hono } from "hono";
import { newSkillFolder } from "../shared/new-skill-folder.ts";
import { createApp } from "./app.ts";
import { type Environment, type Overrides, parseConfig } from "./config/config.ts";
import { PACKAGE_FOLDER } from "./config/package-folder.ts";
import type { Settings } from "./config/settings.ts";
import { StartError } from "./config/start-error.ts";
import { onFullDisk } from "./database/free-space.ts";
import { claimFolder } from "./database/own-folder.ts";
import { checkReach, reachWarnings } from "./http/guard.ts";
import type { Log } from "./observe/log.ts";
import { openServices } from "./open-services.ts";
import type { Services } from "./services.ts";

export interface StartOptions {
  readonly settings: Settings;
  readonly overrides?: Overrides;
  readonly environment: Environment;
  readonly log: Log;
  /** Called with each step of the start. */
  readonly onProgress?: (line: string) => void;
}

/** A chat that is listening. */
export interface RunningChat {
  readonly url: string;
  /** The admin token, on the first start only. */
  readonly freshToken: string | undefined;
  readonly warnings: readonly string[];
  readonly hasSkills: boolean;
  /** Where to create a first skill, if skills are enabled and there is none. */
  readonly newSkillFolder: string | undefined;
  /** How many skills of the project nobody has trusted yet. */
  readonly lockedSkills: number;
  /** Where chats are stored. */
  readonly place: string;
  /** Waits up to ten seconds for running answers, then closes everything. */
  close(): Promise<void>;
}

/** Opens the database, the skills and the models, and listens. */
export async function startChat(options: StartOptions): Promise<RunningChat> {
  const { settings, overrides, environment, log, onProgress = () => {} } = options;
  onProgress("Reading the settings…");
  const config = parseConfig(settings.text, settings.file, environment, overrides);
  const { host, port } = config.server;
  checkReach(config.server, Boolean(environment[config.admin.tokenEnv]), config.admin.tokenEnv);
  // Somebody else may have written the files in the folder of the start.
  if (overrides?.root !== undefined && !environment.DATA_DIR) claimFolder(overrides.root, config.database.folder);
  const { services, close } = await openServices(config, { environment, log, webRoot: WEB_ROOT, onProgress });
  const server = createChatServer(createApp(services).fetch);
  let freshToken: string | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", (error: NodeJS.ErrnoException) => reject(cannotListen(error, host, port)));
      server.listen(port, host, () => resolve());
    });
    freshToken = await onFullDisk(() => services.adminToken.makeFirst());
  } catch (error) {
    server.close();
    await close();
    throw error;
  }
  const { family, address, port: actual } = server.address() as AddressInfo;
  return {
    url: `http://${family === "IPv6" ? `[${address}]` : address}:${actual}/`,
    freshToken,
    warnings: [...config.warnings, ...reachWarnings(config.server, config.admin.tokenEnv)],
    hasSkills: config.skills !== null,
    newSkillFolder: emptyFolder(services),
    lockedSkills: services.skills?.registry.current.entries.filter(({ status }) => status === "locked").length ?? 0,
    place: services.database.place,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      services.events.close();
      await services.running.finish(LONGEST_GOODBYE);
      await services.skills?.scripts.ended();
      // Clients may still be reading stored answers; idle connections close at once.
      server.closeIdleConnections();
      await Promise.race([closed, pause(LAST_BYTES, undefined, { ref: false })]);
      server.closeAllConnections();
      await closed;
      await close();
    },
  };
}

function emptyFolder({ skills }: Pick<Services, "skills">): string | undefined {
  if (skills === undefined || skills.registry.current.entries.length > 0) return undefined;
  return newSkillFolder(skills.registry.roots);
}

/** Closes connections whose client neither sends nor reads anything for `stall` milliseconds. */
export function createChatServer(fetch: Hono["fetch"], { stall = LONGEST_STALL } = {}): Server {
  const server = createAdaptorServer({ fetch, createServer, serverOptions: PATIENCE }) as Server;
  // Reading part of a large response counts as progress; streams send something every 20 seconds.
  server.setTimeout(stall);
  return server;
}

/** The last line of a start: a sentence on a terminal, or the bare address for programs. */
export function addressLine(url: string, isTerminal: boolean): string {
  return isTerminal ? `The chat is running at ${url} (Ctrl-C to stop)` : url;
}

const WEB_ROOT = fileURLToPath(new URL("web/dist", PACKAGE_FOLDER));
const LONGEST_GOODBYE = 10_000;
/** The time that a client has to send a request. The settings limit the time for answers. */
const PATIENCE = {
  headersTimeout: 15_000,
  // Enough for the largest attachment on a slow connection.
  requestTimeout: 600_000,
  connectionsCheckingInterval: 5_000,
  // Longer than a proxy keeps an idle connection; otherwise it could send a request on one that is closing.
  keepAliveTimeout: 75_000,
};
const LONGEST_STALL = 45_000;
const LAST_BYTES = 500;

function cannotListen({ code, message }: NodeJS.ErrnoException, host: string, port: number): StartError {
  const reason =
    code === "EADDRINUSE"
      ? "the port is in use. Set --port or PORT to another port, or to 0 for any free port"
      : code === "EACCES"
        ? "this port needs more privileges. Set --port or PORT to a port above 1023"
        : message;
  return new StartError(`Cannot listen on ${host}:${port}: ${reason}.`);
}
