import { realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { sessionsOf } from "../../core/conversation-of.ts";
import type { Session } from "../../core/session.ts";
import type { Prompt } from "../prompt.ts";
import { AgentSkillsSection } from "../section/agent-skills-section.ts";
import { emit, type PromptEventListener, SkillActivated } from "../section/events.ts";
import { findSections } from "../section/find-sections.ts";
import { joinSkills } from "../section/join-skills.ts";
import { recordRead } from "../section/record-read.ts";
import { workspacesOf } from "./listed-skills.ts";

/** A skill that an agent can read itself. */
export interface ReadableSkill {
  readonly name: string;
  readonly folder: string;
  /** The paths of its SKILL.md. */
  readonly files: readonly string[];
  /** Whether it is in the agent's own folder of skills. If not, a section lists it. */
  readonly isInstalled: boolean;
  /** The session of the section that lists it. */
  readonly session?: Session | undefined;
}

interface ReadableSkillsOptions {
  /** The folder of the agent's `installed` skills, if there is one. */
  readonly skillsDir?: string | undefined;
  /** The names of the installed skills. */
  readonly installed?: Iterable<string> | undefined;
  /** The sessions of the evaluation. */
  readonly sessions: Iterable<Session>;
  readonly onEvent?: PromptEventListener | undefined;
}

/** The skills of a prompt that an agent can read itself, and which become active when it does. */
export class ReadableSkills {
  /** Every session in which skills become active. */
  readonly sessions: ReadonlySet<Session>;
  readonly #prompt: Prompt;
  readonly #sections: readonly AgentSkillsSection[];
  readonly #options: ReadableSkillsOptions;
  /** The sessions in which every skill becomes active. */
  readonly #shared: ReadonlySet<Session>;
  readonly #found = new Map<string, readonly ReadableSkill[]>();

  constructor(prompt: Prompt, options: ReadableSkillsOptions) {
    this.#prompt = prompt;
    this.#sections = findSections(prompt.template.sections, AgentSkillsSection);
    this.#options = options;
    const workspaces = sessionsOf(workspacesOf(prompt).map(({ session }) => session));
    this.#shared = new Set([...options.sessions, ...workspaces]);
    const listing = sessionsOf(this.#sections.map(({ session }) => session));
    this.sessions = new Set([...this.#shared, ...listing]);
  }

  /** Returns the skills, with the paths for an agent that works in this folder. */
  in(cwd: string): readonly ReadableSkill[] {
    const found = this.#found.get(cwd) ?? [...this.#installed(), ...this.#listed(cwd)];
    this.#found.set(cwd, found);
    return found;
  }

  /** Activates a skill that the agent has read. Never rejects: if a session cannot record it, its ledger has the reason. */
  async record({ name, folder, session }: ReadableSkill): Promise<void> {
    emit(this.#options.onEvent, new SkillActivated({ skillName: name, skillPath: folder }));
    await recordRead(folder, [...this.#shared, ...sessionsOf([session])]).catch(() => {});
  }

  #installed(): readonly ReadableSkill[] {
    const { skillsDir, installed = [] } = this.#options;
    if (skillsDir === undefined) return [];
    return [...installed].map((name) => {
      const folder = join(skillsDir, name);
      return { name, folder, files: pathsOf(join(folder, "SKILL.md")), isInstalled: true };
    });
  }

  #listed(cwd: string): readonly ReadableSkill[] {
    joinSkills(this.#prompt.template.sections, this.#options.installed);
    return this.#sections.flatMap(({ skills, mounts, session }) =>
      skills.map(({ name, path: folder }) => {
        // A skill that is hidden from models is not mounted, but an agent may find its folder.
        const location = mounts.find((mount) => mount.name === name)?.location;
        const folders = [...(location === undefined ? [] : [resolve(cwd, location)]), folder];
        const files = folders.flatMap((one) => pathsOf(join(one, "SKILL.md")));
        return { name, folder, files, isInstalled: false, session };
      }),
    );
  }
}

/** A path, and the path without links, which some agents report. */
function pathsOf(file: string): readonly string[] {
  try {
    return [...new Set([file, realpathSync(file)])];
  } catch {
    return [file];
  }
}
