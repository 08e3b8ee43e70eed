import { realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { NAMES } from "../core/base/limits.ts";
import { conversationsOf, sessionOf } from "../core/conversation-of.ts";
import type { Session } from "../core/session.ts";
import { isWithin } from "../node/files/contained-read.ts";
import { AgentSkillsSection } from "../prompt/section/agent-skills-section.ts";
import { type PromptEventListener, SkillActivated } from "../prompt/section/events.ts";
import { findSections } from "../prompt/section/find-sections.ts";
import { recordRead } from "../prompt/section/record-read.ts";
import type { Section } from "../prompt/section/section.ts";
import { WorkspaceSection } from "../prompt/workspace/workspace-section.ts";
import type { ToolUse } from "./claude-agent-sdk.ts";
import { denial } from "./network-policy.ts";

interface SkillReadsOptions {
  /** The folder of the agent's installed skills, if there is one. */
  readonly skillsDir: string | undefined;
  /** The session of the evaluation, or an object with its ID. */
  readonly session: object | undefined;
  readonly onEvent: PromptEventListener;
}

/** Detects from an agent's tool calls when it reads a skill's instructions itself. */
export class SkillReads {
  readonly #sections: readonly AgentSkillsSection[];
  readonly #workspaces: readonly WorkspaceSection[];
  readonly #skillsDir: string | undefined;
  readonly #session: Session | undefined;
  readonly #onEvent: PromptEventListener;

  constructor(sections: readonly Section[], { skillsDir, session, onEvent }: SkillReadsOptions) {
    this.#sections = findSections(sections, AgentSkillsSection);
    this.#workspaces = findSections(sections, WorkspaceSection);
    this.#skillsDir = skillsDir;
    this.#session = sessionOf(session);
    this.#onEvent = onEvent;
  }

  /** Denies a call that an active skill does not allow. Our own tools and files of skills are always allowed. */
  check(use: ToolUse): object {
    if (this.#isOwn(use)) return {};
    for (const session of this.#sessions()) {
      const decision = session.checkTool(use.tool_name, use.tool_input, { cwd: use.cwd });
      if (!decision.allowed) return denial(decision.message);
    }
    return {};
  }

  #isOwn({ tool_name: tool, tool_input: given, cwd }: ToolUse): boolean {
    if (tool === "Skill" || tool === "StructuredOutput" || tool.startsWith(`mcp__${NAMES.promptServer}__`)) return true;
    const { file_path: path } = (given ?? {}) as Record<string, unknown>;
    if (tool !== "Read" || typeof path !== "string") return false;
    const file = resolve(cwd, path);
    const isInstalled = this.#skillsDir !== undefined && isWithin(this.#skillsDir, file);
    return isInstalled || this.#sections.some((one) => one.skillAt(file, { cwd }) !== undefined);
  }

  /** Whether there is a session whose skills may restrict the agent. */
  get hasSession(): boolean {
    return this.#sessions().size > 0;
  }

  /** Every session of the evaluation, once. */
  #sessions(): ReadonlySet<Session> {
    const sessions = [...this.#sections, ...this.#workspaces].flatMap(({ session }) => session ?? []);
    return new Set([...sessions, ...(this.#session ? [this.#session] : [])]);
  }

  async note({ tool_name: tool, tool_input: given, cwd }: ToolUse): Promise<void> {
    const input = (given ?? {}) as Record<string, unknown>;
    if (tool === "Read" && typeof input.file_path === "string") await this.#noteRead(input.file_path, cwd);
    // Claude Code's own tool for skills in its home.
    if (tool === "Skill" && typeof input.skill === "string") await this.#noteNative(input.skill);
  }

  async #noteRead(path: string, cwd: string): Promise<void> {
    const file = resolve(cwd, path);
    const section = this.#sections.find((one) => one.skillAt(file, { cwd }) !== undefined);
    const listed = section?.skillAt(file, { cwd });
    const name = basename(dirname(file));
    if (listed !== undefined) await this.#report(listed.name, listed.path, section?.session);
    else if (file === join(this.#skillsDir ?? "", name, "SKILL.md")) await this.#report(name, dirname(file));
  }

  async #noteNative(name: string): Promise<void> {
    if (this.#skillsDir === undefined || !/^[\p{L}\p{N}-]+$/u.test(name)) return;
    const folder = join(this.#skillsDir, name);
    try {
      realpathSync(join(folder, "SKILL.md"));
    } catch {
      // A built-in skill of the agent.
      return;
    }
    await this.#report(name, folder);
  }

  /** A session that fails to record the read must not stop the agent; its ledger contains the reason. */
  async #report(skillName: string, skillPath: string, session?: Session): Promise<void> {
    this.#onEvent(new SkillActivated({ skillName, skillPath }));
    const sessions = [session, ...this.#workspaces.map((workspace) => workspace.session)];
    await recordRead(skillPath, conversationsOf([...sessions, this.#session])).catch(() => {});
  }
}
