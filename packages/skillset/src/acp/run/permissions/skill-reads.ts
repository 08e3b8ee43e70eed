import { realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import type { ToolCallUpdate } from "@agentclientprotocol/sdk";
import { acpProgramCalled } from "../../../agents/find-agent.ts";
import { conversationsOf, sessionOf } from "../../../core/conversation-of.ts";
import type { Conversation } from "../../../core/session/conversation.ts";
import type { Session } from "../../../core/session.ts";
import { isWithin } from "../../../node/files/contained-read.ts";
import { workspacesOf } from "../../../prompt/listed-skills.ts";
import { AgentSkillsSection } from "../../../prompt/section/agent-skills-section.ts";
import { emit, SkillActivated } from "../../../prompt/section/events.ts";
import { findSections } from "../../../prompt/section/find-sections.ts";
import { recordRead } from "../../../prompt/section/record-read.ts";
import type { PlannedPrompt } from "../../options/think-plan.ts";

interface SkillReadsOptions {
  /** The conversation of the run. */
  readonly skills: Conversation;
  /** The agent's working folder. */
  readonly cwd: string;
  /** The agent's self-reported name. */
  readonly agent: string;
}

/** A skill that an agent can read itself. */
interface ReadableSkill {
  readonly name: string;
  readonly folder: string;
  /** The paths of its SKILL.md. */
  readonly files: readonly string[];
  readonly isInstalled: boolean;
  /** The session of the section that lists it. */
  readonly session?: Session | undefined;
}

/** Detects from an agent's tool calls when it loads a skill of a prompt itself, and activates that skill. */
export class SkillReads {
  /** Every conversation in which skills become active. */
  readonly conversations: ReadonlySet<Conversation>;
  readonly #planned: PlannedPrompt;
  readonly #options: SkillReadsOptions;
  readonly #shared: Iterable<Conversation>;
  readonly #skills: readonly ReadableSkill[];
  readonly #noted = new Set<ReadableSkill>();
  #recorded: Promise<unknown> = Promise.resolve();

  constructor(planned: PlannedPrompt, options: SkillReadsOptions) {
    const { prompt, options: given } = planned;
    this.#planned = planned;
    this.#options = options;
    this.#skills = [...installedSkills(planned), ...listedSkills(planned, options.cwd)];
    const own = sessionOf(given.session);
    const shared = conversationsOf([own, ...workspacesOf(prompt).map(({ session }) => session)]);
    this.#shared = own === undefined ? [options.skills, ...shared] : shared;
    const listing = conversationsOf(this.#skills.map(({ session }) => session));
    this.conversations = new Set([options.skills, ...this.#shared, ...listing]);
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
      emit(this.#planned.options.onEvent, new SkillActivated({ skillName: skill.name, skillPath: skill.folder }));
      // A session that cannot record it must not stop the agent; its ledger contains the reason.
      const recording = recordRead(skill.folder, [...this.#shared, ...conversationsOf([skill.session])]).catch(
        () => {},
      );
      this.#recorded = Promise.all([this.#recorded, recording]);
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

function installedSkills({ options: { skillsDir, installed = [] } }: PlannedPrompt): readonly ReadableSkill[] {
  if (skillsDir === undefined) return [];
  return [...installed].map((name) => {
    const folder = join(skillsDir, name);
    return { name, folder, files: pathsOf(join(folder, "SKILL.md")), isInstalled: true };
  });
}

function listedSkills({ prompt }: PlannedPrompt, cwd: string): readonly ReadableSkill[] {
  return findSections(prompt.template.sections, AgentSkillsSection).flatMap(({ mounts, session }) =>
    mounts.map(({ name, folder, location }) => {
      const files = [resolve(cwd, location), folder].flatMap((one) => pathsOf(join(one, "SKILL.md")));
      return { name, folder, files, isInstalled: false, session };
    }),
  );
}

/** A path, and what it is without links, which some agents report. */
function pathsOf(file: string): readonly string[] {
  try {
    return [...new Set([file, realpathSync(file)])];
  } catch {
    return [file];
  }
}
