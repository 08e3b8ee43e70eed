import { join, resolve } from "node:path";
import type { ToolCallUpdate } from "@agentclientprotocol/sdk";
import { acpProgramCalled } from "../../../agents/find-agent.ts";
import { sessionOf } from "../../../core/conversation-of.ts";
import type { Session } from "../../../core/session.ts";
import { isWithin } from "../../../node/files/contained-read.ts";
import { type ReadableSkill, ReadableSkills } from "../../../prompt/agent/readable-skills.ts";
import type { PlannedPrompt } from "../../options/think-plan.ts";

interface SkillReadsOptions {
  /** The conversation of the run. */
  readonly skills: Session;
  /** The agent's working folder. */
  readonly cwd: string;
  /** The agent's self-reported name. */
  readonly agent: string;
}

/** Detects from an agent's tool calls when it loads a skill of a prompt itself, and activates that skill. */
export class SkillReads {
  /** Every session whose active skills may restrict the agent. */
  readonly sessions: ReadonlySet<Session>;
  readonly #readable: ReadableSkills;
  readonly #options: SkillReadsOptions;
  readonly #noted = new Set<ReadableSkill>();
  #recorded: Promise<unknown> = Promise.resolve();

  constructor({ prompt, options: given }: PlannedPrompt, options: SkillReadsOptions) {
    const own = sessionOf(given.session) ?? options.skills;
    this.#options = options;
    this.#readable = new ReadableSkills(prompt, { ...given, sessions: [own] });
    this.sessions = new Set([options.skills, ...this.#readable.sessions]);
  }

  /** Resolves when everything that was noted is recorded. */
  get recorded(): Promise<unknown> {
    return this.#recorded;
  }

  /** Notes a call that succeeded. Each skill counts once in a run. */
  note(call: ToolCallUpdate): void {
    for (const skill of this.#skills) {
      if (this.#noted.has(skill) || !this.#loads(call, skill)) continue;
      this.#noted.add(skill);
      this.#recorded = Promise.all([this.#recorded, this.#readable.record(skill)]);
    }
  }

  /** Whether a call loads an installed skill with the agent's own tool for that. */
  isLoading(call: ToolCallUpdate): boolean {
    return this.#skills.some((skill) => skill.isInstalled && this.#loadedBy(call) === skill.name);
  }

  /** Whether a call only reads files of these skills, which no active skill forbids. */
  isReading({ kind, locations }: ToolCallUpdate): boolean {
    const paths = (locations ?? []).map(({ path }) => resolve(this.#options.cwd, path));
    if (kind !== "read" || paths.length === 0) return false;
    return paths.every((path) =>
      this.#skills.some(({ files }) => files.some((file) => isWithin(join(file, ".."), path))),
    );
  }

  get #skills(): readonly ReadableSkill[] {
    return this.#readable.in(this.#options.cwd);
  }

  #loadedBy(call: ToolCallUpdate): unknown {
    return acpProgramCalled(this.#options.agent)?.loadedSkill?.(call);
  }

  #loads(call: ToolCallUpdate, { name, files, isInstalled }: ReadableSkill): boolean {
    if (isInstalled && this.#loadedBy(call) === name) return true;
    const { kind, locations, rawInput, title } = call;
    if (kind === "read") {
      const paths = (locations ?? []).map(({ path }) => resolve(this.#options.cwd, path));
      return paths.some((path) => files.includes(path));
    }
    // A command that names the file, such as `head -50 /home/ann/.agents/skills/pdf/SKILL.md`.
    const said = kind === "execute" ? `${title ?? ""} ${JSON.stringify(rawInput ?? "")}` : "";
    return files.some((file) => said.includes(file));
  }
}
