import type { Tool, ToolContext } from "../tool/tool.ts";

/** A skill as the standard describes it, wherever it comes from. Frozen; its name is its identity. */
export interface Skill {
  readonly name: string;
  readonly description: string;
  readonly license?: string;
  readonly compatibility?: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** The tokens of `allowed-tools`. */
  readonly allowedTools: readonly string[];
  /** Frontmatter that the standard does not have. */
  readonly extra: Readonly<Record<string, unknown>>;
  /** False when the frontmatter says `disable-model-invocation: true`: people may still invoke it. */
  readonly modelInvocable: boolean;
  /** False when the frontmatter says `user-invocable: false`: the model may still activate it. */
  readonly userInvocable: boolean;
  /** Where it comes from, for people. What the library does depends on the properties below instead. */
  readonly origin: SkillOrigin;
  /** The absolute path of the skill's folder, when it is stored in one. */
  readonly basePath?: string;
  /** Where problems say that its SKILL.md is: a path or an address. Skills in code have none. */
  readonly location?: string;
  /** Who wrote the skill, if it was not the user, in the words that models and people see: `MCP server 'acme'`. */
  readonly provider?: string;
  /** Reading the skill sends requests to another program, so it is read only when it is used. */
  readonly isRemote?: boolean;
  /** Agents can connect to the provider themselves, so the skill is neither published nor installed from here. */
  readonly isServed?: boolean;
  /** Changes when the skill does, as far as that is known without reading it. */
  readonly stamp?: string;
  /** Tools that come with a skill defined in code. */
  readonly tools: readonly SkillTool[];
  readonly files: SkillFiles;
  /** The Markdown below the frontmatter, read when asked for. */
  instructions(options?: ReadOptions): Promise<string>;
  /** `sha256:` and 64 hex digits over everything the skill is made of, computed when asked for. */
  digest(options?: ReadOptions): Promise<string>;
}

/** A skill defined in code: everything is in memory. */
export interface VirtualSkill extends Skill {
  readonly origin: InlineOrigin;
  readonly body: string;
}

/** A skill in a folder. */
export interface StoredSkill extends Skill {
  readonly origin: FolderOrigin;
  readonly basePath: string;
}

export type SkillOrigin = InlineOrigin | FolderOrigin | McpOrigin | SourceOrigin;

export interface InlineOrigin {
  readonly kind: "inline";
}

export interface FolderOrigin {
  readonly kind: "folder";
  /** The skill's real folder, absolute. */
  readonly folder: string;
  /** The source that it was found in, absolute. */
  readonly root: string;
  readonly scope: SkillScope;
  readonly stamp: FileStamp;
}

/** A skill that another program serves over MCP. */
export interface McpOrigin {
  readonly kind: "mcp";
  /** How this program calls the server. */
  readonly server: string;
  /** The address of the skill's SKILL.md there. */
  readonly uri: string;
  /** Stands for the files that the server listed. */
  readonly digest: string;
}

/** A skill of a `SkillSource`. */
export interface SourceOrigin {
  readonly kind: "source";
  /** The name of the source. */
  readonly source: string;
  /** The skill's folder within the source. */
  readonly folder: string;
}

/** What tells, without reading it, whether a file was written or replaced. */
export interface FileStamp {
  readonly ino: number;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
}

/** Where a folder of skills stands: given by the caller, or found in one of the usual places. */
export type SkillScope = "given" | "project" | "user" | "bundled";

/** A tool that a skill brings. */
// biome-ignore lint/suspicious/noExplicitAny: as in `Tool`
export type SkillTool<Input = any, Output = unknown> = Tool<Input, Output, SkillToolContext>;

/** What the handler of a skill's tool may use besides its input. */
export interface SkillToolContext extends ToolContext {
  readonly skill: Skill;
}

/** Where a skill's files come from. Paths are relative to the skill, with forward slashes. */
export interface SkillFiles {
  list(directory?: string, options?: ReadOptions): Promise<readonly SkillFile[]>;
  read(path: string, options?: ReadOptions): Promise<Uint8Array>;
}

export interface SkillFile {
  readonly path: string;
  readonly kind: "file" | "directory";
  readonly size: number;
  /** Changes when the file is written; only where that can be told without reading it. */
  readonly stamp?: string;
}

export interface ReadOptions {
  readonly signal?: AbortSignal;
}

/** The skills that a model or a person may use, by name. */
export interface SkillLookup {
  readonly skills: readonly Skill[];
  get(name: string): Skill | undefined;
  has(name: string): boolean;
}

export function isStored(skill: Skill): skill is StoredSkill {
  return skill.basePath !== undefined;
}
