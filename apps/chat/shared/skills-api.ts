import type { Problem, SessionOptions, Skill, SkillEntry } from "skillset";
import type { SkillFix } from "skillset/node";

export interface SkillCommand {
  readonly name: string;
  readonly description: string;
  /** What to write after the name. */
  readonly argumentHint?: string;
  readonly task?: SkillTask;
}

/** A task for a skill, from its evaluations. */
export interface SkillTask {
  readonly text: string;
  /** It is about a file, which the user attaches. */
  readonly needsFile?: boolean;
}

export type SkillState = SkillEntry["status"];

export interface SkillRow {
  readonly name: string;
  readonly version?: string;
  readonly description: string;
  readonly state: SkillState;
  /** Why it is not enabled. */
  readonly reason?: string;
  /** Where it was found. `path` is absolute, and sent to admins only, like the whole path of the source. */
  readonly source: string;
  readonly path?: string;
  /** The number of chats that activated it, and the number of activations. */
  readonly chats: number;
  readonly activations: number;
  readonly isUserInvocable: boolean;
  readonly isModelInvocable: boolean;
  readonly problems: number;
  /** It is refused, and the policy `lenient` would load it. */
  readonly loadsLeniently?: boolean;
  /** It is loaded with the policy `lenient`; why the policy `standard` would refuse it. */
  readonly tolerated?: readonly string[];
}

export interface SkillsView {
  readonly rows: readonly SkillRow[];
  readonly catalog: CatalogView;
  /** Errors first, then warnings. */
  readonly problems: readonly ProblemView[];
  readonly collisions: readonly {
    readonly name: string;
    readonly winner: string;
    readonly losers: readonly string[];
  }[];
  /** The folders that were scanned, in order of precedence. */
  readonly roots: readonly {
    readonly path: string;
    readonly isThere: boolean;
    /** It is not in the settings, but at or above the folder in which the chat was started. */
    readonly isAbove: boolean;
  }[];
  readonly scannedAt: string;
}

export interface ProblemView extends Problem {
  /** `/api/repairs`, which is for admins, has a repair. */
  readonly canRepair?: boolean;
  /** The skill is refused for it, and the policy `lenient` would load the skill. */
  readonly loadsLeniently?: boolean;
}

/** The catalog of a new chat. */
export interface CatalogView {
  /** The exact text that models see. */
  readonly text: string;
  readonly tokens: number;
  /** The maximum number of tokens. */
  readonly budget: number;
  /** The number of skills with their whole description, a shortened one, their name only, or nothing in the text. */
  readonly full: number;
  readonly shortened: number;
  readonly nameOnly: number;
  readonly omitted: number;
}

/** How often skills were activated, by name. */
export type SkillUsageView = Readonly<Record<string, Pick<SkillRow, "chats" | "activations">>>;

/** A change that repairs a skill. */
export interface RepairView extends Pick<SkillFix, "name" | "file" | "changes" | "hunks"> {
  /** Differs when the file or the change differs. */
  readonly id: string;
}

export interface RepairRequest {
  /** The repairs that the user has seen. */
  readonly ids: readonly string[];
}

export interface RepairResult {
  /** The names of the repaired skills. */
  readonly repaired: readonly string[];
  /** The repairs that changed nothing, and why. */
  readonly failed: readonly { readonly id: string; readonly message: string }[];
}

export interface SkillDetail {
  readonly row: SkillRow;
  /** Absolute paths of the skill's folder, its SKILL.md and the scanned folder that contains it. Sent to admins only. */
  readonly skillDir?: string;
  readonly skillMdPath?: string;
  readonly sourceDir?: string;
  readonly instructions: string;
  readonly tokens: number;
  readonly license?: string;
  readonly compatibility?: string;
  readonly allowedTools: readonly string[];
  readonly disallowedTools: readonly string[];
  readonly triggers?: Triggers;
  readonly toolsets: readonly string[];
  readonly requirements: readonly RequirementView[];
  /** The other metadata. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly policies: SkillPolicies;
  readonly files: readonly { readonly path: string; readonly size: number }[];
  readonly tools: readonly { readonly name: string; readonly description: string }[];
  readonly problems: readonly ProblemView[];
  readonly tasks: readonly SkillTask[];
  /** An admin has allowed the scripts of this version to run without asking. */
  readonly areScriptsAllowed: boolean;
  /** The last thirty days, oldest first. */
  readonly usage: readonly { readonly day: string; readonly activations: number }[];
}

/** What the rules of skills do in this chat. */
export interface SkillPolicies {
  readonly allowedTools: NonNullable<SessionOptions["allowedTools"]>;
  readonly triggers: NonNullable<SessionOptions["triggers"]>;
}

type Triggers = NonNullable<Skill["triggers"]>;

/** One field of requirements. */
export interface RequirementView {
  /** The field of the metadata, such as `requires`. */
  readonly field: string;
  /** What the author wrote. */
  readonly text: string;
  /** Disabled and locked skills are not checked. */
  readonly state: "met" | "unmet" | "unchecked";
  readonly unmet: readonly { readonly reason: string; readonly fix: string }[];
}

export interface SkillFileView {
  readonly path: string;
  readonly content: string;
  readonly isTruncated: boolean;
}

export interface SkillSwitch {
  readonly isEnabled: boolean;
}
