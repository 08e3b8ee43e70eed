import type { ServerResponse } from "node:http";
import type { ScriptRunner } from "skillset/scripts";
import { ALIVE_EVERY, type RunLine, type RunRequest } from "./protocol.ts";
import type { RunFolder } from "./run-folder.ts";
import type { WaitingLine } from "./waiting-line.ts";

interface RunParts {
  readonly runner: ScriptRunner;
  readonly line: WaitingLine;
  readonly folder: RunFolder;
  readonly request: RunRequest;
  /** Aborted when the client stops the run or disconnects. */
  readonly signal: AbortSignal;
}

/** Runs a script, and answers with a line of JSON for each part of its output. */
export async function answerRun(
  response: ServerResponse,
  { runner, line, folder, request, signal }: RunParts,
): Promise<void> {
  const { script, args, stdin, env, limits } = request;
  response.writeHead(200, { "content-type": "application/x-ndjson", "cache-control": "no-store" });
  // What a slow client does not read waits here. It has at most the limit of the output.
  const write = (one: RunLine): void => {
    // A sandbox that does not start reports paths of this machine.
    response.write(`${JSON.stringify(one).replaceAll(folder.root, "")}\n`);
  };
  const alive = setInterval(() => {
    if (response.writableLength === 0) write({ type: "alive" });
  }, ALIVE_EVERY);
  write({ type: "alive" });
  try {
    const end = await line.add(() =>
      runner.run({
        skillFolder: folder.skill,
        outputFolder: folder.output,
        script,
        args,
        stdin,
        env,
        limits,
        signal,
        onOutput: (output) => write({ type: "output", ...output }),
      }),
    );
    const output = response.destroyed ? {} : await folder.collect(limits.files);
    write({ type: "end", end, output });
  } finally {
    clearInterval(alive);
    response.end();
    // A client that does not read must not hold the connection.
    const timer = setTimeout(() => response.destroy(), READ_TIME);
    response.once("close", () => clearTimeout(timer));
  }
}

const READ_TIME = 30_000;
