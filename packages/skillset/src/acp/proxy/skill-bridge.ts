import type { BridgeTransport } from "../../agents/agent-definition.ts";
import { acpProgramCalled } from "../../agents/find-agent.ts";
import { LIMITS, NAMES } from "../../core/base/limits.ts";
import type { ModelTool } from "../../core/operations/model-tool.ts";
import { type OpenBridge, openBridge } from "../bridge/bridge.ts";
import { ToolServer } from "../bridge/tool-server.ts";
import { within } from "../link/deadline.ts";

/** What an agent reported when it was initialized. */
export interface AgentFacts {
  readonly name: string;
  readonly hasHttp: boolean;
}

/** The MCP server of one session with an agent, or of all sessions in a folder if the agent cannot keep them apart. */
export interface SkillBridge {
  readonly kind: BridgeTransport;
  /** The server as declared in `session/new`. */
  readonly declaration: OpenBridge["declarations"][number];
  /** Resolves when the agent has listed the tools. */
  readonly listed: Promise<void>;
  readonly isListed: boolean;
  /** Whether several sessions use it. */
  readonly isShared: boolean;
  /** Makes calls go to these tools from now on. */
  serve(tools: () => readonly ModelTool[]): void;
  release(): Promise<void>;
}

interface SharedBridge {
  readonly opening: Promise<SkillBridge>;
  /** The tools of each session, the newest caller last; undefined until the server has started. */
  readonly users: Map<symbol, (() => readonly ModelTool[]) | undefined>;
}

/** Opens the servers for the sessions of an agent. */
export class SkillBridges {
  readonly #shared = new Map<string, SharedBridge>();

  /** Returns undefined for an agent that starts no MCP servers. */
  async open({ name, hasHttp }: AgentFacts, folder: string): Promise<SkillBridge | undefined> {
    const { bridges = hasHttp ? (["http"] as const) : (["stdio"] as const), conversations } =
      acpProgramCalled(name) ?? {};
    const [kind] = bridges;
    if (kind === undefined) return undefined;
    return conversations === "one-a-folder" ? this.#share(kind, folder) : start(kind);
  }

  /** Such an agent has one server of a name in a folder, so a second one would also serve the sessions of the first. */
  async #share(kind: SkillBridge["kind"], folder: string): Promise<SkillBridge> {
    const shared: SharedBridge = this.#shared.get(folder) ?? { opening: start(kind), users: new Map() };
    const user = Symbol();
    shared.users.set(user, undefined);
    this.#shared.set(folder, shared);
    const bridge = await shared.opening.catch((error: unknown) => {
      // The next session tries again.
      if (this.#shared.get(folder) === shared) this.#shared.delete(folder);
      throw error;
    });
    return {
      kind,
      declaration: bridge.declaration,
      listed: bridge.listed,
      get isListed() {
        return bridge.isListed;
      },
      get isShared() {
        return shared.users.size > 1;
      },
      serve: (tools) => {
        shared.users.delete(user);
        shared.users.set(user, tools);
        bridge.serve(tools);
      },
      release: async () => {
        shared.users.delete(user);
        const before = [...shared.users.values()].findLast((tools) => tools !== undefined);
        if (before !== undefined) bridge.serve(before);
        if (shared.users.size > 0) return;
        this.#shared.delete(folder);
        await bridge.release();
      },
    };
  }
}

async function start(kind: SkillBridge["kind"]): Promise<SkillBridge> {
  let tools = (): readonly ModelTool[] => [];
  let isListed = false;
  const server = new ToolServer(NAMES.library, () => tools());
  const bridge = await openBridge(kind, [server]);
  void server.listed.then(() => {
    isListed = true;
  });
  return {
    kind,
    declaration: bridge.declarations[0] as SkillBridge["declaration"],
    listed: server.listed,
    get isListed() {
      return isListed;
    },
    isShared: false,
    serve: (next) => {
      tools = next;
    },
    release: async () => {
      // The bridge carries the server's last messages. An agent that has stopped reading is not waited for.
      await within(LIMITS.agent.closeTime, server.close());
      await bridge.close();
    },
  };
}
