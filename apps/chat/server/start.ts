import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createAdaptorServer } from "@hono/node-server";
import type { Hono } from "hono";
import { createApp } from "./app.ts";
import { type Environment, readConfig } from "./config/config.ts";
import { StartError } from "./config/start-error.ts";
import { checkReach, reachWarnings } from "./http/guard.ts";
import type { Log } from "./observe/log.ts";
import { openServices } from "./open-services.ts";

export interface StartOptions {
  readonly configFile: string;
  readonly environment: Environment;
  readonly log: Log;
  /** Told what is being done. */
  readonly onProgress?: (line: string) => void;
}

/** A chat that is listening. */
export interface RunningChat {
  readonly url: string;
  /** The admin token, at the very first start only. */
  readonly freshToken: string | undefined;
  readonly warnings: readonly string[];
  readonly hasSkills: boolean;
  /** Lets running answers end, for ten seconds at most, and closes everything. */
  close(): Promise<void>;
}

/** Opens the database, the skills and the models, and listens. */
export async function startChat(options: StartOptions): Promise<RunningChat> {
  const { environment, log, onProgress = () => {} } = options;
  onProgress("Reading the settings…");
  const config = readConfig(options.configFile, environment);
  const { host, port } = config.server;
  checkReach(config.server, Boolean(environment[config.admin.tokenEnv]), config.admin.tokenEnv);
  const { services, close } = await openServices(config, { environment, log, webRoot: WEB_ROOT, onProgress });
  const server = createChatServer(createApp(services).fetch);
  let freshToken: string | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", (error: NodeJS.ErrnoException) => reject(cannotListen(error, host, port)));
      server.listen(port, host, () => resolve());
    });
    freshToken = await services.adminToken.makeFirst();
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
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      services.events.close();
      await services.running.finish(LONGEST_GOODBYE);
      // What is stored is not yet read by everybody; connections without a request end at once.
      server.closeIdleConnections();
      await Promise.race([closed, pause(LAST_BYTES, undefined, { ref: false })]);
      server.closeAllConnections();
      await closed;
      await close();
    },
  };
}

/** Closes connections whose client neither sends nor reads anything for so many milliseconds. */
export function createChatServer(fetch: Hono["fetch"], { stall = LONGEST_STALL } = {}): Server {
  const server = createAdaptorServer({ fetch, createServer, serverOptions: PATIENCE }) as Server;
  // Counts as progress what a slow client reads of a large response; streams send something every 20 seconds.
  server.setTimeout(stall);
  return server;
}

/** The last line of a start: a sentence for people, and the bare address for programs. */
export function addressLine(url: string, isTerminal: boolean): string {
  return isTerminal ? `The chat is at ${url} (Ctrl-C ends it)` : url;
}

const WEB_ROOT = fileURLToPath(new URL("../web/dist", import.meta.url));
const LONGEST_GOODBYE = 10_000;
/** How long a client may take to send what it wants; answers may take as long as the settings say. */
const PATIENCE = {
  headersTimeout: 15_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 5_000,
  // Longer than a proxy keeps an unused connection, or it would send a request into one that is being closed.
  keepAliveTimeout: 75_000,
};
const LONGEST_STALL = 45_000;
const LAST_BYTES = 500;

function cannotListen({ code, message }: NodeJS.ErrnoException, host: string, port: number): StartError {
  const reason =
    code === "EADDRINUSE"
      ? "another program listens there; set PORT to another one, or to 0 for any that is free"
      : code === "EACCES"
        ? "that port needs more rights; choose one above 1023"
        : message;
  return new StartError(`Cannot listen on ${host}:${port}: ${reason}.`);
}
