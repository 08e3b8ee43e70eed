import { resolve } from "node:path";
import { NAMES } from "../core/base/limits.ts";
import { isWithin } from "../node/files/contained-read.ts";
import type { ReadableSkill, ReadableSkills } from "../prompt/agent/readable-skills.ts";
import type { ToolUse } from "./claude-agent-sdk.ts";
import { denial } from "./network-policy.ts";

/** Follows the calls of Claude Code's tools: denies what an active skill does not allow, and activates skills that it reads. */
export class ToolUses {
  readonly #readable: ReadableSkills;
  readonly #skillsDir: string | undefined;

  /** `skillsDir` is the folder of the agent's installed skills, if there is one. */
  constructor(readable: ReadableSkills, skillsDir: string | undefined) {
    this.#readable = readable;
    this.#skillsDir = skillsDir;
  }

  /** Whether there is a session whose skills may restrict the agent. */
  get hasSession(): boolean {
    return this.#readable.sessions.size > 0;
  }

  /** Denies a call that an active skill does not allow. Our own tools and files of skills are always allowed. */
  check(use: ToolUse): object {
    if (this.#isOwn(use)) return {};
    for (const session of this.#readable.sessions) {
      const decision = session.checkTool(use.tool_name, use.tool_input, { cwd: use.cwd });
      if (!decision.allowed) return denial(decision.message);
    }
    return {};
  }

  async note(use: ToolUse): Promise<void> {
    const skill = this.#skillReadBy(use);
    if (skill !== undefined) await this.#readable.record(skill);
  }

  #isOwn(use: ToolUse): boolean {
    const { tool_name: tool } = use;
    if (tool === "Skill" || tool === "StructuredOutput" || tool.startsWith(`mcp__${NAMES.promptServer}__`)) return true;
    const file = fileReadBy(use);
    if (file === undefined) return false;
    return (this.#skillsDir !== undefined && isWithin(this.#skillsDir, file)) || this.#skillReadBy(use) !== undefined;
  }

  #skillReadBy(use: ToolUse): ReadableSkill | undefined {
    const skills = this.#readable.in(use.cwd);
    const file = fileReadBy(use);
    if (file !== undefined) return skills.find(({ files }) => files.includes(file));
    // Claude Code's own tool for skills in its home.
    const { skill: name } = inputOf(use);
    return use.tool_name === "Skill" ? skills.find((one) => one.isInstalled && one.name === name) : undefined;
  }
}

function fileReadBy(use: ToolUse): string | undefined {
  const { file_path: path } = inputOf(use);
  return use.tool_name === "Read" && typeof path === "string" ? resolve(use.cwd, path) : undefined;
}

function inputOf({ tool_input: given }: ToolUse): Readonly<Record<string, unknown>> {
  return (given ?? {}) as Record<string, unknown>;
}
