// An ACP agent over stdin and stdout that plays steps from a file, whatever it is asked: `node playing-agent.ts FILE`.
import { readFileSync, writeFileSync } from "node:fs";
import { Readable, Writable } from "node:stream";
import {
  type AgentContext,
  agent,
  ndJsonStream,
  type PermissionOption,
  type SessionUpdate,
  type ToolCallUpdate,
  type ToolKind,
} from "@agentclientprotocol/sdk";

export type PlayedStep =
  | { readonly say: string }
  | { readonly update: SessionUpdate }
  /** Asks for permission, and says what became of it. */
  | { readonly ask: string; readonly kind?: ToolKind; readonly input?: unknown }
  /** Asks for several at once. */
  | { readonly askAll: readonly string[] }
  /** Writes a file, with nothing in it. */
  | { readonly mark: string }
  /** Says its process id, and where it works. */
  | { readonly report: "process" }
  /** Does nothing until the turn is cancelled, and then writes so to a file. */
  | { readonly hang: string };

const steps = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as readonly PlayedStep[];
const cancelled = Promise.withResolvers<void>();

const OPTIONS: PermissionOption[] = [
  { optionId: "yes", kind: "allow_once", name: "Yes" },
  { optionId: "always", kind: "allow_always", name: "Always" },
  { optionId: "no", kind: "reject_once", name: "No" },
];

async function play(step: PlayedStep, sessionId: string, cwd: string, client: AgentContext): Promise<void> {
  const update = (change: SessionUpdate) => client.notify("session/update", { sessionId, update: change });
  const say = (text: string) => update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
  const ask = async (title: string, kind?: ToolKind, rawInput?: unknown) => {
    const toolCall: ToolCallUpdate = {
      toolCallId: title,
      title,
      ...(kind && { kind }),
      ...(rawInput !== undefined && { rawInput }),
    };
    const { outcome } = await client.request("session/request_permission", {
      sessionId,
      toolCall,
      options: OPTIONS,
    });
    await say(`${title}: ${outcome.outcome === "selected" ? outcome.optionId : outcome.outcome}. `);
  };
  if ("say" in step) await say(step.say);
  else if ("update" in step) await update(step.update);
  else if ("ask" in step) await ask(step.ask, step.kind, step.input);
  else if ("askAll" in step) await Promise.all(step.askAll.map((title) => ask(title, "execute")));
  else if ("mark" in step) writeFileSync(step.mark, "");
  else if ("report" in step) await say(`process ${process.pid} in ${process.cwd()}, session in ${cwd}. `);
  else {
    await cancelled.promise;
    writeFileSync(step.hang, "cancelled");
  }
}

const folders = new Map<string, string>();
agent()
  .onRequest("initialize", () => ({ protocolVersion: 1, agentInfo: { name: "player", version: "1.2.3" } }))
  .onRequest("session/new", ({ params }) => {
    const sessionId = crypto.randomUUID();
    folders.set(sessionId, params.cwd);
    return { sessionId };
  })
  .onRequest("session/prompt", async ({ params: { sessionId }, client }) => {
    for (const step of steps) await play(step, sessionId, folders.get(sessionId) ?? "", client);
    return { stopReason: "end_turn" };
  })
  .onNotification("session/cancel", () => cancelled.resolve())
  .connect(
    ndJsonStream(
      Writable.toWeb(process.stdout) as WritableStream<Uint8Array>,
      Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>,
    ),
  );
