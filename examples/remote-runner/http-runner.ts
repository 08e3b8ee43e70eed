import { createHash, randomUUID } from "node:crypto";
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ScriptEnd, ScriptJob, ScriptRunner } from "skillset/scripts";
import { parseEnd } from "./parse-end.ts";
import { type CheckAnswer, type FileDigests, parseFiles, type RunLine, type RunRequest } from "./protocol.ts";
import { readLines } from "./read-lines.ts";

export interface HttpRunnerOptions {
  /** Where the service is: https, or http on this machine. */
  readonly url: string;
  readonly token: string;
  /**
   * The sandbox that the service must have, such as `bubblewrap`. Without it, the level is `remote`, which every minimum
   * refuses.
   */
  readonly level?: string;
}

/** Runs scripts with the service on another machine. Throws if the token and the secrets would be sent in plain text. */
export function httpRunner({ url, token, level }: HttpRunnerOptions): ScriptRunner {
  const { protocol, hostname } = new URL(url);
  const isHere = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
  if (protocol !== "https:" && !(protocol === "http:" && isHere))
    throw new Error(`The address of the service must start with https://, not ${protocol}//`);
  const call: Call = (method, path, options = {}) =>
    fetch(new URL(path, url), {
      method,
      // The token must not go to another address.
      redirect: "error",
      ...options,
      headers: { authorization: `Bearer ${token}` },
    });
  return {
    level: level ?? "remote",
    check: async () => {
      try {
        const answer = await call("GET", "/check", { signal: AbortSignal.timeout(30_000) });
        if (!answer.ok) return `the service answered with status ${answer.status}. Check the token.`;
        const { level: actual, failure } = (await answer.json()) as CheckAnswer;
        if (failure !== undefined) return failure;
        return level === undefined || level === actual
          ? undefined
          : `the service has the sandbox '${actual}', not '${level}'.`;
      } catch {
        return "the service cannot be reached.";
      }
    },
    run: async (job) => {
      const aborted: ScriptEnd = { outcome: "aborted", command: [job.script, ...job.args], stdout: "", stderr: "" };
      if (job.signal.aborted) return aborted;
      try {
        return await run(call, job);
      } catch (error) {
        if (job.signal.aborted) return aborted;
        return { outcome: "refused", reason: error instanceof ServiceError ? error.message : UNREACHABLE };
      }
    },
  };
}

type Call = (method: string, path: string, options?: Pick<RequestInit, "body" | "signal">) => Promise<Response>;

const INVALID = "The service that runs scripts sent an invalid answer.";
const UNREACHABLE = "The service that runs scripts cannot be reached. Try again later.";

/** A sentence that a model may read. */
class ServiceError extends Error {
  override readonly name = "ServiceError";
}

async function run(call: Call, job: ScriptJob): Promise<ScriptEnd> {
  const { script, args, stdin = "", env = {}, limits, signal, outputFolder } = job;
  const [skill, output] = [readFolder(job.skillFolder), readFolder(outputFolder)];
  const request: RunRequest = { skill: digests(skill), output: digests(output), script, args, stdin, env, limits };
  await upload(
    call,
    new Map([...skill.values(), ...output.values()].map((file) => [file.digest, file.content])),
    signal,
  );
  const id = randomUUID();
  const controller = new AbortController();
  // The service stops the script and sends its end. Without an answer, closing the connection stops it too.
  const stop = (): void => {
    call("DELETE", `/runs/${id}`, { signal: AbortSignal.timeout(STOP_TIME) }).catch(() => {});
    setTimeout(() => controller.abort(), STOP_TIME).unref();
  };
  signal.addEventListener("abort", stop);
  try {
    const body = JSON.stringify(request);
    const answer = await call("POST", `/runs/${id}`, { body, signal: controller.signal });
    if (!answer.ok || answer.body === null) throw new ServiceError(await whyNot(answer));
    if (signal.aborted) stop();
    for await (const line of readLines<RunLine>(answer.body)) {
      if (line.type === "output") pass(job, line);
      if (line.type !== "end") continue;
      await fetchFiles(call, outputFolder, { before: output, after: parseFiles(line.output), maxBytes: limits.files });
      const end = parseEnd(line.end, limits.output);
      if (end === undefined) throw new ServiceError(INVALID);
      return end;
    }
    throw new ServiceError("The service that runs scripts closed the connection.");
  } finally {
    controller.abort();
    signal.removeEventListener("abort", stop);
  }
}

const STOP_TIME = 5_000;

function pass({ onOutput }: ScriptJob, { stream, text }: Extract<RunLine, { type: "output" }>): void {
  try {
    onOutput({ stream, text });
  } catch {
    // A listener that throws must not change the run.
  }
}

async function whyNot(answer: Response): Promise<string> {
  await answer.body?.cancel();
  if (answer.status === 429 || answer.status === 503) return "The service that runs scripts is busy. Try again later.";
  return `The service that runs scripts refused the script (status ${answer.status}).`;
}

interface LocalFile {
  readonly digest: string;
  readonly content: Uint8Array;
}

function readFolder(root: string, below = ""): Map<string, LocalFile> {
  const found = new Map<string, LocalFile>();
  for (const name of readdirSync(join(root, below)).sort()) {
    const path = below === "" ? name : `${below}/${name}`;
    const stats = lstatSync(join(root, path));
    if (stats.isDirectory()) for (const [one, file] of readFolder(root, path)) found.set(one, file);
    if (!stats.isFile()) continue;
    const content = readFileSync(join(root, path));
    found.set(path, { content, digest: createHash("sha256").update(content).digest("hex") });
  }
  return found;
}

function digests(files: ReadonlyMap<string, LocalFile>): FileDigests {
  return Object.fromEntries([...files].map(([path, { digest }]) => [path, digest]));
}

/** Sends the contents that the service does not have. */
async function upload(call: Call, contents: ReadonlyMap<string, Uint8Array>, signal: AbortSignal): Promise<void> {
  const body = JSON.stringify({ digests: [...contents.keys()] });
  const answer = await call("POST", "/missing", { body, signal });
  if (!answer.ok) throw new ServiceError(await whyNot(answer));
  const { missing } = (await answer.json()) as { missing: readonly string[] };
  for (const digest of missing) {
    const content = contents.get(digest);
    if (content === undefined) continue;
    const sent = await call("PUT", `/files/${digest}`, { body: new Uint8Array(content), signal });
    if (!sent.ok) throw new ServiceError(await whyNot(sent));
    await sent.body?.cancel();
  }
}

interface Fetching {
  readonly before: ReadonlyMap<string, LocalFile>;
  readonly after: FileDigests | undefined;
  readonly maxBytes: number;
}

/** Makes the output folder equal to that of the run. The paths were checked. */
async function fetchFiles(call: Call, root: string, { before, after, maxBytes }: Fetching): Promise<void> {
  if (after === undefined) throw new ServiceError(INVALID);
  for (const path of before.keys()) if (!Object.hasOwn(after, path)) rmSync(join(root, path), { force: true });
  let rest = maxBytes;
  for (const [path, digest] of Object.entries(after)) {
    if (before.get(path)?.digest === digest) continue;
    const answer = await call("GET", `/files/${digest}`, { signal: AbortSignal.timeout(120_000) });
    const size = Number(answer.headers.get("content-length") ?? Number.POSITIVE_INFINITY);
    if (!answer.ok || size > rest) throw new ServiceError("A file of the script cannot be fetched.");
    const content = new Uint8Array(await answer.arrayBuffer());
    if (createHash("sha256").update(content).digest("hex") !== digest)
      throw new ServiceError("A file of the script arrived with another content.");
    rest -= content.length;
    const target = join(root, path);
    // A folder here can be a file there.
    rmSync(target, { recursive: true, force: true });
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    writeFileSync(target, content, { mode: 0o600, flag: "wx" });
  }
}
