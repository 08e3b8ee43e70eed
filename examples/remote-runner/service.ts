import { createHash, timingSafeEqual } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ScriptLimits, ScriptRunner } from "skillset/scripts";
import { answerRun } from "./answer-run.ts";
import { FileStore } from "./file-store.ts";
import { parseRun } from "./parse-run.ts";
import { type CheckAnswer, isDigest, LARGEST_FILE, MOST_FILES } from "./protocol.ts";
import { BodyError, readJson, receiveBody } from "./read-body.ts";
import { openRunFolder } from "./run-folder.ts";
import { WaitingLine } from "./waiting-line.ts";

export interface ServiceOptions {
  readonly runner: ScriptRunner;
  /** Every request must have it. */
  readonly token: string;
  /** How many scripts run at a time. */
  readonly atATime?: number;
  /** How many others may wait. */
  readonly waiting?: number;
  /** The highest limits that a client gets. */
  readonly limits?: Partial<ScriptLimits>;
  /** How many bytes of files are kept. */
  readonly storeBytes?: number;
}

export interface Service {
  readonly server: Server;
  /** Refuses new runs, waits for the running ones, stops them after a time, and removes all files. */
  close(graceTime?: number): Promise<void>;
}

/** Creates the service. The caller decides where it listens. */
export function createService({
  runner,
  token,
  atATime = 4,
  waiting = 64,
  limits,
  storeBytes = 10 ** 9,
}: ServiceOptions): Service {
  if (token.length < 16) throw new Error("The token must have at least 16 characters.");
  const folder = mkdtempSync(join(tmpdir(), "remote-runner-"));
  chmodSync(folder, 0o711);
  const [files, runsFolder] = [join(folder, "files"), join(folder, "runs")];
  mkdirSync(files, { mode: 0o700 });
  mkdirSync(runsFolder);
  chmodSync(runsFolder, 0o711);
  const store = new FileStore(files, storeBytes);
  const line = new WaitingLine(atATime);
  const runs = new Map<string, { readonly controller: AbortController; readonly ended: Promise<void> }>();
  let isClosing = false;

  const run = async (id: string, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const parsed = parseRun(await readJson(request, LARGEST_JSON), { ...LIMITS, ...limits });
    if (typeof parsed === "string") return send(response, 400, { error: parsed });
    if (isClosing) return send(response, 503, { error: "The service is closing." });
    if (runs.has(id)) return send(response, 409, { error: "This run exists." });
    if (runs.size >= atATime + waiting) return send(response, 429, { error: "Too many runs." }, { "retry-after": "1" });
    const controller = new AbortController();
    const ended = Promise.withResolvers<void>();
    runs.set(id, { controller, ended: ended.promise });
    response.once("close", () => controller.abort());
    try {
      const opened = await openRunFolder(runsFolder, store, parsed);
      if (!("skill" in opened)) return send(response, 409, { missing: opened });
      try {
        await answerRun(response, { runner, line, folder: opened, request: parsed, signal: controller.signal });
      } finally {
        opened.remove();
      }
    } finally {
      runs.delete(id);
      ended.resolve();
    }
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!isAllowed(request, token)) return send(response, 401, { error: "The token is missing or wrong." });
    const [, kind = "", name = "", ...rest] = (request.url ?? "").split("/");
    const route = `${request.method} ${kind}${name === "" ? "" : "/:name"}${rest.length === 0 ? "" : "/more"}`;
    if (route === "GET check") return send(response, 200, await check(runner));
    if (route === "POST missing") return send(response, 200, await missing(request, store));
    if (route === "GET files/:name" && isDigest(name)) return sendFile(response, await store.read(name));
    if (route === "PUT files/:name" && isDigest(name)) {
      const isRight = await receiveBody(request, LARGEST_FILE, (parts) => store.receive(name, parts));
      return isRight ? send(response, 201, {}) : send(response, 400, { error: "The content has another digest." });
    }
    if (route === "POST runs/:name" && RUN_ID.test(name)) return run(name, request, response);
    if (route === "DELETE runs/:name") {
      runs.get(name)?.controller.abort();
      return send(response, 200, {});
    }
    return send(response, 404, { error: "There is nothing at this address." });
  };

  const server = createServer({ requestTimeout: 60_000, headersTimeout: 10_000, keepAliveTimeout: 5_000 });
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    answer(request, response).catch((error: unknown) => {
      if (response.headersSent) return response.destroy();
      // Nothing of the machine, such as a path in a message of the system.
      const [status, message] =
        error instanceof BodyError ? [error.status, error.message] : [500, "The request failed."];
      return send(response, status, { error: message }, { connection: "close" });
    });
  });
  return {
    server,
    close: async (graceTime = 10_000) => {
      isClosing = true;
      server.close();
      server.closeIdleConnections();
      const timer = setTimeout(() => runs.forEach(({ controller }) => void controller.abort()), graceTime);
      await Promise.all([...runs.values()].map(({ ended }) => ended));
      clearTimeout(timer);
      server.closeAllConnections();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const RUN_ID = /^[0-9a-f-]{36}$/;
const LARGEST_JSON = 8_000_000;

const LIMITS: ScriptLimits = {
  time: 300_000,
  output: 10_000_000,
  memory: 1024 * 1024 * 1024,
  processes: 128,
  files: 100_000_000,
};

/** Digests have the same length, so the comparison takes the same time for every token. */
function isAllowed({ headers }: IncomingMessage, token: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(headers.authorization ?? ""), digest(`Bearer ${token}`));
}

async function check(runner: ScriptRunner): Promise<CheckAnswer> {
  const failure = await runner.check();
  return {
    level: runner.level,
    ...(failure !== undefined && { failure: "The sandbox of the service does not work." }),
  };
}

async function missing(request: IncomingMessage, store: FileStore): Promise<{ missing: readonly string[] }> {
  const body = await readJson(request, LARGEST_JSON);
  const digests: unknown = (body as { digests?: unknown } | null)?.digests;
  if (!Array.isArray(digests) || digests.length > 2 * MOST_FILES || !digests.every(isDigest))
    throw new BodyError(400, "'digests' must be a list of SHA-256 digests.");
  return { missing: digests.filter((digest) => !store.has(digest)) };
}

function send(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

function sendFile(response: ServerResponse, content: Uint8Array | undefined): void {
  if (content === undefined) send(response, 404, { error: "There is no such file." });
  else
    response
      .writeHead(200, { "content-type": "application/octet-stream", "content-length": content.length })
      .end(content);
}
