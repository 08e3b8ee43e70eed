import { spawn } from "node:child_process";
import { once } from "node:events";
import { Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import {
  type ContentBlock,
  client,
  ndJsonStream,
  type RequestPermissionRequest,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";

const MAIN = fileURLToPath(new URL("../../packages/skillset/src/cli/main.ts", import.meta.url));

/** Runs the command line from its sources. */
const PROGRAM = `import { main } from ${JSON.stringify(MAIN)}; process.exitCode = await main(process.argv.slice(1));`;

export interface EditorOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** Chooses an option of a permission request by its kind. */
  readonly decide?: (request: RequestPermissionRequest) => string;
}

/** Starts `skillset acp` with these arguments, and returns its process and its output on stderr. */
export function startAcp(args: readonly string[], { env = process.env, cwd }: EditorOptions = {}) {
  const child = spawn(process.execPath, ["--input-type=module", "--eval", PROGRAM, "--", "acp", ...args], {
    stdio: ["pipe", "pipe", "pipe"],
    // Its own group, so that a test can look for processes in it.
    detached: true,
    env: env as NodeJS.ProcessEnv,
    ...(cwd !== undefined && { cwd }),
  });
  const errors = text(child.stderr);
  child.stdin.on("error", () => {});
  const ended = once(child, "exit").then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as string,
  }));
  return { child, errors, ended };
}

/** An editor that knows nothing of skills, with an agent behind `skillset acp`. */
export async function startEditor(args: readonly string[], options: EditorOptions = {}) {
  const { child, errors, ended } = startAcp(args, options);
  const updates: { readonly sessionId: string; readonly update: SessionUpdate }[] = [];
  const asked: RequestPermissionRequest[] = [];
  const connection = client({ name: "scripted-editor" })
    .onNotification("session/update", ({ params }) => void updates.push(params))
    .onRequest("session/request_permission", ({ params }) => {
      asked.push(params);
      const kind = options.decide?.(params) ?? "reject_once";
      const optionId = params.options.find((option) => option.kind === kind)?.optionId ?? "";
      return { outcome: { outcome: "selected", optionId } };
    })
    .connect(
      ndJsonStream(
        Writable.toWeb(child.stdin) as WritableStream<Uint8Array>,
        Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
      ),
    );
  const { agent } = connection;
  const initialized = await agent.request("initialize", {
    protocolVersion: 1,
    clientInfo: { name: "scripted-editor", version: "1.0.0" },
    clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
  });
  return {
    child,
    agent,
    initialized,
    updates,
    asked,
    errors,
    ended,
    async open(cwd: string) {
      const { sessionId } = await agent.request("session/new", { cwd, mcpServers: [] });
      return {
        sessionId,
        prompt: (...blocks: readonly (string | ContentBlock)[]) =>
          agent.request("session/prompt", {
            sessionId,
            prompt: blocks.map((block) => (typeof block === "string" ? { type: "text", text: block } : block)),
          }),
        /** The newest list of commands. */
        commands: () => commandsOf(updates.filter((one) => one.sessionId === sessionId).map(({ update }) => update)),
      };
    },
    /** Closes the connection, as an editor does that exits. */
    async close() {
      child.stdin.end();
      return { ...(await ended), errors: await errors };
    },
  };
}

function commandsOf(updates: readonly SessionUpdate[]) {
  const last = updates.findLast(({ sessionUpdate }) => sessionUpdate === "available_commands_update");
  return last?.sessionUpdate === "available_commands_update" ? last.availableCommands : [];
}

type Updates = readonly { readonly update: SessionUpdate }[];

/** The text that the agent wrote to the editor. */
export function saidTo(updates: Updates): string {
  return textIn(updates, "agent_message_chunk");
}

/** What the person typed, according to the agent. */
export function typedIn(updates: Updates): string {
  return textIn(updates, "user_message_chunk").trim();
}

function textIn(updates: Updates, kind: "agent_message_chunk" | "user_message_chunk"): string {
  return updates
    .flatMap(({ update }) =>
      update.sessionUpdate === kind && update.content.type === "text" ? [update.content.text] : [],
    )
    .join("");
}
