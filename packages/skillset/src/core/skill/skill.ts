import type { Manifest } from "../manifest/manifest.ts";
import type { Tool, ToolContext } from "../tool/tool.ts";

/** A skill as the standard describes it, from any source. Frozen. Its name identifies it. */
export interface Skill extends Manifest {
  /** Where the skill comes from, for display. The library's behavior depends on the properties below instead. */
  readonly origin: SkillOrigin;
  /** The absolute path of the skill's folder, if it has one. */
  readonly basePath?: string;
  /** The path or address of its SKILL.md, for problems. Skills in code have none. */
  readonly location?: string;
  /** The author of the skill, if not the user, as shown to models and people: `MCP server 'acme'`. */
  readonly provider?: string;
  /** Reading the skill sends requests to another program, so it is only read when used. */
  readonly isRemote?: boolean;
  /** Agents can connect to the provider directly, so the skill is neither published nor installed from here. */
  readonly isServed?: boolean;
  /**
   * Somebody vouched for the skill: the program that defines it or names its folder, the package that contains it, or the
   * user who trusted this version. Skills that were only installed or come from other programs are not trusted.
   */
  readonly isTrusted?: boolean;
  /** Changes when the skill changes, as far as known without reading it. */
  readonly stamp?: string;
  /** The tools of a skill in code. */
  readonly tools: readonly SkillTool[];
  readonly files: SkillFiles;
  /** Reads the Markdown below the frontmatter. */
  instructions(options?: ReadOptions): Promise<string>;
  /** Computes a digest of all the skill's content: `sha256:` and 64 hex digits. */
  digest(options?: ReadOptions): Promise<string>;
}

/** A skill in code. All its content is in memory. */
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
  /** The absolute real path of the skill's folder. */
  readonly folder: string;
  /** The absolute path of the source in which it was found. */
  readonly root: string;
  readonly scope: SkillScope;
  readonly stamp: FileStamp;
}

/** A skill that another program serves over MCP. */
export interface McpOrigin {
  readonly kind: "mcp";
  /** This program's name for the server. */
  readonly server: string;
  /** The URI of the skill's SKILL.md on the server. */
  readonly uri: string;
  /** A digest of the files that the server listed. */
  readonly digest: string;
}

/** A skill from a `SkillSource`. */
export interface SourceOrigin {
  readonly kind: "source";
  /** The name of the source. */
  readonly source: string;
  /** The skill's folder within the source. */
  readonly folder: string;
}

/** Detects, without reading it, whether a file was changed or replaced. */
export interface FileStamp {
  readonly ino: number;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
}

/** How a folder of skills was found: passed by the caller, or in one of the standard folders. */
export type SkillScope = "given" | "project" | "user" | "bundled";

/** A tool of a skill. */
// biome-ignore lint/suspicious/noExplicitAny: as in `Tool`
export type SkillTool<Input = any, Output = unknown> = Tool<Input, Output, SkillToolContext>;

/** The second argument of a skill tool's handler. */
export interface SkillToolContext extends ToolContext {
  readonly skill: Skill;
}

/** Lists and reads a skill's files. Paths are relative to the skill, with forward slashes. */
export interface SkillFiles {
  list(directory?: string, options?: ReadOptions): Promise<readonly SkillFile[]>;
  read(path: string, options?: ReadOptions): Promise<Uint8Array>;
}

export interface SkillFile {
  readonly path: string;
  readonly kind: "file" | "directory";
  readonly size: number;
  /** Changes when the file changes, if known without reading it. */
  readonly stamp?: string;
}

export interface ReadOptions {
  /** Aborts the read. */
  readonly signal?: AbortSignal;
}

/** Looks up available skills by name. */
export interface SkillLookup {
  readonly skills: readonly Skill[];
  get(name: string): Skill | undefined;
  has(name: string): boolean;
}

/** Whether a skill is stored in a folder. */
export function isStored(skill: Skill): skill is StoredSkill {
  return skill.basePath !== undefined;
}
