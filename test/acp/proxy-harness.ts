import { join } from "node:path";
import { PassThrough } from "node:stream";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { onTestFinished } from "vitest";
import { AcpProxy, type AcpProxyOptions } from "../../packages/skillset/src/acp/proxy/acp-proxy.ts";
import { LineWriter } from "../../packages/skillset/src/acp/proxy/line-writer.ts";
import type { Fields } from "../../packages/skillset/src/acp/proxy/message.ts";
import type { ScriptOptions } from "../../packages/skillset/src/core/script/script-options.ts";
import type { Skillset } from "../../packages/skillset/src/core/skillset.ts";
import { createSkillset } from "../../packages/skillset/src/node/load/create-skillset.ts";
import { skillMd, temporaryFolder } from "../temporary-folder.ts";

export interface HarnessOptions extends Partial<Pick<AcpProxyOptions, "bridgeTimeout" | "allowScripts">> {
  /** More files of the editor's folder; skills are in `skills`. */
  readonly files?: Readonly<Record<string, string>>;
  readonly agentName?: string;
  readonly http?: boolean;
  readonly scripts?: ScriptOptions;
  /** Called before skills are loaded. */
  readonly beforeLoad?: (folder: string) => Promise<void>;
}

const CHARTS = skillMd("charts", "Draws charts.", "Label both axes of $ARGUMENTS.", "argument-hint: what to draw\n");

/** A proxy between two ends that a test plays line by line. */
export function startProxy({ files = {}, beforeLoad, scripts, ...options }: HarnessOptions = {}) {
  const cwd = temporaryFolder({ "skills/charts/SKILL.md": CHARTS, ...files });
  const reports: string[] = [];
  const [editor, agent] = [new End(), new End()];
  const load = async (folder: string): Promise<Skillset> => {
    await beforeLoad?.(folder);
    return createSkillset([join(folder, "skills")], { scripts, onProblem: () => {} });
  };
  const proxy = new AcpProxy({
    load,
    allowScripts: [],
    report: (line) => void reports.push(line),
    bridgeTimeout: 200,
    ...options,
    editor: new LineWriter(editor.take),
    agent: new LineWriter(agent.take),
  });
  const reading = [proxy.readEditor(editor.input), proxy.readAgent(agent.input)];
  onTestFinished(async () => {
    editor.input.end();
    agent.input.end();
    await proxy.close();
    await Promise.all(reading);
  });
  return { proxy, cwd, editor, agent, reports, reading, ...conversation({ cwd, editor, agent }, options) };
}

/** The steps of most conversations. */
function conversation(
  { cwd, editor, agent }: { cwd: string; editor: End; agent: End },
  { agentName = "any", http = true }: HarnessOptions,
) {
  let id = 100;
  const request = async (method: string, params: object, result: object): Promise<{ sent: Fields; answer: Fields }> => {
    id += 1;
    editor.write({ jsonrpc: "2.0", id, method, params });
    const sent = await agent.next((message) => message.method === method);
    agent.write({ jsonrpc: "2.0", id: sent.id, result });
    const asked = sent.id;
    return { sent, answer: await editor.next((message) => message.id === asked && message.method === undefined) };
  };
  return {
    request,
    initialize: () =>
      request(
        "initialize",
        { protocolVersion: 1, clientCapabilities: { terminal: true } },
        {
          protocolVersion: 1,
          agentInfo: { name: agentName, version: "1" },
          agentCapabilities: { mcpCapabilities: { http } },
        },
      ),
    /** Opens a session, and returns the servers that the agent got. */
    async open(sessionId = "s1", params: object = {}) {
      const { sent } = await request("session/new", { cwd, mcpServers: [], ...params }, { sessionId });
      const commands = await editor.next((message) => message.method === "session/update");
      return { servers: (sent.params as { mcpServers: Fields[] }).mcpServers, commands };
    },
    /** Sends a prompt, and returns the content that the agent got. */
    async prompt(text: string | readonly object[], sessionId = "s1") {
      const prompt = typeof text === "string" ? [{ type: "text", text }] : text;
      const { sent } = await request("session/prompt", { sessionId, prompt }, { stopReason: "end_turn" });
      return (sent.params as { prompt: { type: string; text: string }[] }).prompt;
    },
  };
}

/** Connects to our server, as an agent does. */
export async function connect(servers: readonly Fields[]): Promise<Client> {
  const { url, headers } = servers.find(({ name }) => name === "skillset") as {
    url: string;
    headers: { name: string; value: string }[];
  };
  const client = new Client({ name: "test", version: "1.0.0" });
  onTestFinished(() => client.close());
  const given = headers.map(({ name, value }): [string, string] => [name, value]);
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: given } }));
  await client.listTools();
  return client;
}

/** One end of the proxy: what it writes, and what it gets. */
class End {
  readonly input = new PassThrough();
  /** The exact lines. */
  readonly lines: string[] = [];
  /** While true, nothing is taken. */
  isBlocked = false;
  readonly #got: Fields[] = [];
  #parts = "";
  #waiting: (() => void)[] = [];

  readonly take = async (bytes: Uint8Array | string): Promise<void> => {
    while (this.isBlocked) await new Promise((resolve) => setTimeout(resolve, 5));
    this.#parts += typeof bytes === "string" ? bytes : Buffer.from(bytes).toString("utf8");
    const lines = this.#parts.split("\n");
    this.#parts = lines.pop() ?? "";
    for (const line of lines) {
      this.lines.push(line);
      this.#got.push(JSON.parse(line) as Fields);
    }
    for (const wake of this.#waiting.splice(0)) wake();
  };

  /** The start of a line that has no end yet. */
  get unfinished(): string {
    return this.#parts;
  }

  write(message: object | string): void {
    this.input.write(typeof message === "string" ? message : `${JSON.stringify(message)}\n`);
  }

  /** Drops what it got so far. */
  forget(): void {
    this.lines.length = 0;
    this.#got.length = 0;
  }

  /** Takes the first message that fits, or waits for it. */
  async next(fits: (message: Fields) => boolean = () => true): Promise<Fields> {
    for (;;) {
      const index = this.#got.findIndex(fits);
      if (index !== -1) return this.#got.splice(index, 1)[0] as Fields;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }
}

/** A notification about the session `s1`. */
export function updateOf(update: object): object {
  return { jsonrpc: "2.0", method: "session/update", params: { sessionId: "s1", update } };
}

/** The agent announces these commands. */
export function commandsUpdate(...names: readonly string[]): object {
  const availableCommands = names.map((name) => ({ name, description: "of the agent" }));
  return updateOf({ sessionUpdate: "available_commands_update", availableCommands });
}
