import { appendFileSync, chmodSync, statSync } from "node:fs";
import type { AgentApp, AgentConnection, AnyMessage, Stream } from "@agentclientprotocol/sdk";
import { visibleText } from "../../core/text/escape.ts";
import { secretsOf, withoutSecrets } from "./without-secrets.ts";

/** Writes one message of a connection to a trace. */
export type MessageTrace = (direction: "sent" | "received", message: unknown) => void;

/**
 * Returns a function that appends messages to a file, one JSON object per line. Secrets are left out, and so are the
 * values of variables of the given environments that look like secrets. A file that cannot be written never breaks a run.
 */
export function traceTo(file: string, ...environments: readonly NodeJS.ProcessEnv[]): MessageTrace {
  const secrets = secretsOf(...environments);
  connections += 1;
  const connection = `${process.pid}-${connections}`;
  let isBroken = false;
  const attempt = (work: () => void): void => {
    if (isBroken) return;
    try {
      work();
    } catch (error) {
      isBroken = true;
      warnOnce(file, error as NodeJS.ErrnoException);
    }
  };
  attempt(() => makePrivate(file));
  return (direction, message) =>
    attempt(() => {
      const line = { time: new Date().toISOString(), connection, direction, message };
      appendFileSync(file, `${withoutSecrets(line, secrets)}\n`, { mode: PRIVATE });
    });
}

let connections = 0;

/** A trace contains prompts, files and answers. */
const PRIVATE = 0o600;

function makePrivate(file: string): void {
  appendFileSync(file, "", { mode: PRIVATE });
  // An older file may be readable by others. Devices such as /dev/stderr keep their mode.
  if (statSync(file).isFile()) chmodSync(file, PRIVATE);
}

function warnOnce(file: string, { code, message }: NodeJS.ErrnoException): void {
  if (WARNED.has(file)) return;
  WARNED.add(file);
  console.warn(
    visibleText(`skillset: The trace '${file}' cannot be written (${code ?? message}). The agent runs without it.`),
  );
}

const WARNED = new Set<string>();

/** Traces all messages of a stream, in the order in which they are sent and received. */
export function withTrace({ readable, writable }: Stream, trace: MessageTrace): Stream {
  const writer = writable.getWriter();
  return {
    readable: readable.pipeThrough(
      new TransformStream<AnyMessage, AnyMessage>({
        transform: (message, controller) => {
          trace("received", message);
          controller.enqueue(message);
        },
      }),
    ),
    writable: new WritableStream<AnyMessage>({
      write: (message) => {
        trace("sent", message);
        return writer.write(message);
      },
      close: () => writer.close(),
      abort: (reason) => writer.abort(reason),
    }),
  };
}

/** Connects to an agent in this process over a stream, which can be traced. The streams do not end on their own. */
export function streamTo(app: AgentApp): { readonly stream: Stream; readonly peer: AgentConnection } {
  const toAgent = new TransformStream<AnyMessage, AnyMessage>();
  const toClient = new TransformStream<AnyMessage, AnyMessage>();
  const peer = app.connect({ readable: toAgent.readable, writable: toClient.writable });
  return { stream: { readable: toClient.readable, writable: toAgent.writable }, peer };
}
