import { realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { type PromptEventListener, SkillActivated } from "../prompt/events.ts";
import { AgentSkillsSection } from "../prompt/section/agent-skills-section.ts";
import { findSections } from "../prompt/section/find-sections.ts";
import type { Section } from "../prompt/section/section.ts";
import type { ToolUse } from "./claude-agent-sdk.ts";

/** Notices, from the tools that an agent uses, when it reads a skill's instructions by itself. */
export class SkillReads {
  readonly #sections: readonly AgentSkillsSection[];
  readonly #skillsDir: string | undefined;
  readonly #onEvent: PromptEventListener;

  constructor(sections: readonly Section[], skillsDir: string | undefined, onEvent: PromptEventListener) {
    this.#sections = findSections(sections, AgentSkillsSection);
    this.#skillsDir = skillsDir;
    this.#onEvent = onEvent;
  }

  note({ tool_name: tool, tool_input: given, cwd }: ToolUse): void {
    const input = (given ?? {}) as Record<string, unknown>;
    if (tool === "Read" && typeof input.file_path === "string") this.#noteRead(input.file_path, cwd);
    // Its own way to a skill in its home.
    if (tool === "Skill" && typeof input.skill === "string") this.#noteNative(input.skill);
  }

  #noteRead(path: string, cwd: string): void {
    const file = resolve(cwd, path);
    const listed = this.#sections.map((section) => section.skillAt(file, { cwd })).find((found) => found !== undefined);
    const name = basename(dirname(file));
    if (listed !== undefined) this.#tell(listed.name, listed.path);
    else if (file === join(this.#skillsDir ?? "", name, "SKILL.md")) this.#tell(name, dirname(file));
  }

  #noteNative(name: string): void {
    if (this.#skillsDir === undefined || !/^[\p{L}\p{N}-]+$/u.test(name)) return;
    const folder = join(this.#skillsDir, name);
    try {
      realpathSync(join(folder, "SKILL.md"));
    } catch {
      // One of the agent's own.
      return;
    }
    this.#tell(name, folder);
  }

  #tell(skillName: string, skillPath: string): void {
    this.#onEvent(new SkillActivated({ skillName, skillPath }));
  }
}
