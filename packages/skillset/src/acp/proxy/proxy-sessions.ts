import { resolve } from "node:path";
import { acpProgramCalled } from "../../agents/find-agent.ts";
import { NAMES } from "../../core/base/limits.ts";
import { messageOf } from "../../core/base/message-of.ts";
import { untilAborted } from "../../core/base/until-aborted.ts";
import { openOwnSession } from "../../core/open-session.ts";
import type { Skillset, SkillsetWatcher } from "../../core/skillset.ts";
import { type Fields, fieldsOf, listOf, textOf } from "./message.ts";
import { ProxySession } from "./proxy-session.ts";
import type { AskEditor } from "./script-consent.ts";
import { type AgentFacts, SkillBridges } from "./skill-bridge.ts";
import { commandNames, skillCommands } from "./slash-commands.ts";

export interface ProxySessionsOptions {
  load(folder: string): Promise<Skillset>;
  readonly allowScripts: readonly string[];
  /** How long an agent may take to list the tools, in milliseconds. */
  readonly bridgeTimeout: number;
  readonly ask: AskEditor;
  /** Sends a notification to the editor. */
  notify(method: string, params: object): void;
  /** Writes a line for the person who looks for a problem. */
  report(line: string): void;
}

/** A session that the agent has not opened yet. */
export interface OpeningSession {
  readonly session: ProxySession;
  /** The server to add to those of the editor, if the agent can use one. */
  readonly server: object | undefined;
}

/** The sessions of one agent. */
export class ProxySessions {
  readonly #options: ProxySessionsOptions;
  readonly #bridges = new SkillBridges();
  readonly #open = new Map<string, ProxySession>();
  readonly #watchers = new Map<ProxySession, SkillsetWatcher>();
  /** Commands that the agent announced before it answered `session/new`. */
  readonly #early = new Map<string, readonly unknown[]>();
  readonly #reported = new Set<string>();
  #agent: AgentFacts | undefined;
  #initializing: PromiseWithResolvers<void> | undefined;

  constructor(options: ProxySessionsOptions) {
    this.#options = options;
  }

  find(id: unknown): ProxySession | undefined {
    return this.#open.get(textOf(id));
  }

  /** The editor has sent `initialize`. It may open a session before the agent has answered. */
  initialize(): void {
    this.#initializing ??= Promise.withResolvers();
  }

  /** The agent has answered `initialize`: undefined for an error. */
  initialized(result: Fields | undefined): void {
    this.#initializing?.resolve();
    if (result === undefined) return;
    const { protocolVersion, agentInfo, agentCapabilities } = result;
    const name = textOf(fieldsOf(agentInfo).name);
    if (protocolVersion !== 1) {
      this.#once(`The agent speaks version ${String(protocolVersion)} of ACP; skills need version 1 and are left out.`);
      return;
    }
    this.#agent = { name, hasHttp: fieldsOf(fieldsOf(agentCapabilities).mcpCapabilities).http === true };
    if (acpProgramCalled(name)?.bridges?.length === 0)
      this.#once(`The agent '${name}' accepts no MCP servers. It reads skills from their folders instead.`);
  }

  /** Prepares a session in a folder; undefined if skills cannot be added to it. */
  async prepare({ cwd, mcpServers }: Fields, signal: AbortSignal): Promise<OpeningSession | undefined> {
    await untilAborted(signal, Promise.resolve(this.#initializing?.promise));
    const agent = this.#agent;
    if (agent === undefined || typeof cwd !== "string") return undefined;
    const folder = resolve(cwd);
    // Each session loads the skills anew, because some may have been trusted since the last one.
    const skillset = await this.#options.load(folder);
    const skills = await openOwnSession(skillset, { showDirectory: true });
    const isTaken = listOf(mcpServers).some((server) => fieldsOf(server).name === NAMES.library);
    if (isTaken)
      this.#once(
        `The editor has an MCP server '${NAMES.library}' itself, so the agent reads skills from their folders. Remove it from the editor's settings.`,
      );
    const bridge = isTaken ? undefined : await this.#bridges.open(agent, folder);
    // Nobody would close the session if the editor has left meanwhile.
    if (signal.aborted) await bridge?.release();
    signal.throwIfAborted();
    const { allowScripts, ask, bridgeTimeout } = this.#options;
    const given = { allowScripts, ask, bridgeTimeout };
    const session = new ProxySession({ agent: agent.name, skills, bridge, ...given });
    const onError = (error: unknown): void => this.#once(`The skills could not be reloaded: ${messageOf(error)}`);
    this.#watchers.set(
      session,
      skillset.watch(({ skillset: next }) => void this.#change(session, next), { onError }),
    );
    return { session, server: bridge?.declaration };
  }

  /** The agent has opened the session. */
  async attach(session: ProxySession, id: string): Promise<void> {
    const before = this.#open.get(id);
    session.opened(id);
    this.#open.set(id, session);
    session.announce(this.#early.get(id) ?? before?.announced ?? []);
    this.#early.delete(id);
    if (before !== undefined) await this.discard(before);
  }

  /** Records the commands of the agent, and returns them with those of the skills. */
  announce(id: string, announced: readonly unknown[]): readonly unknown[] {
    const session = this.#open.get(id);
    if (session !== undefined) session.announce(announced);
    else if (this.#early.size < MOST_EARLY) this.#early.set(id, announced);
    return session === undefined ? announced : this.#commandsOf(session);
  }

  /** Sends the editor the commands of a session. */
  sendCommands(session: ProxySession): void {
    const update = { sessionUpdate: "available_commands_update", availableCommands: this.#commandsOf(session) };
    this.#options.notify("session/update", { sessionId: session.id, update });
  }

  /** Reports that an agent was asked to read files, because it has not connected to the server. */
  checkTools(session: ProxySession): void {
    if (session.isWithoutTools)
      this.#once("The agent has not listed the skills' tools in time. It reads skills from their folders instead.");
  }

  async close(id: unknown): Promise<void> {
    const session = this.find(id);
    if (session === undefined) return;
    this.#open.delete(session.id);
    await this.discard(session);
  }

  async discard(session: ProxySession): Promise<void> {
    const watcher = this.#watchers.get(session);
    this.#watchers.delete(session);
    await session.close();
    await watcher?.close();
  }

  async closeAll(): Promise<void> {
    this.#open.clear();
    await Promise.all([...this.#watchers.keys()].map((session) => this.discard(session)));
  }

  #commandsOf({ announced, skills: { skillset } }: ProxySession): readonly unknown[] {
    const names = commandNames(announced);
    const taken = skillset.skills.filter(({ name, userInvocable }) => userInvocable && names.has(name));
    for (const { name } of taken)
      this.#once(`'/${name}' is a command of the agent, so it does not invoke the skill '${name}'.`);
    return [...announced, ...skillCommands(skillset, names)];
  }

  async #change(session: ProxySession, next: Skillset): Promise<void> {
    try {
      await session.skills.use(next);
    } catch (error) {
      this.#once(`The skills could not be updated: ${messageOf(error)}`);
    }
    if (session.id !== "") this.sendCommands(session);
  }

  #once(line: string): void {
    if (this.#reported.size > MOST_REPORTED || this.#reported.has(line)) return;
    this.#reported.add(line);
    this.#options.report(line);
  }
}

const MOST_EARLY = 100;
const MOST_REPORTED = 1_000;
