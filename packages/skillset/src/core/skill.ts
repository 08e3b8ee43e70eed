import type { StandardSchema } from "./standard-schema.ts";

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
  readonly origin: SkillOrigin;
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
  /** The absolute path of the skill's folder. */
  readonly basePath: string;
}

export type SkillOrigin = InlineOrigin | FolderOrigin | McpOrigin;

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

/** What tells, without reading it, whether a file was written or replaced. */
export interface FileStamp {
  readonly ino: number;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
}

/** Where a folder of skills stands: given by the caller, or found in one of the usual places. */
export type SkillScope = "given" | "project" | "user" | "bundled";

/** A tool that a skill brings. Without `inputSchema` any JSON value is accepted. */
export interface SkillTool<Input = unknown, Output = unknown> {
  readonly name: string;
  readonly description: string;
  readonly inputSchema?: SkillToolSchema;
  readonly handler: SkillToolHandler<Input, Output>;
}

export type SkillToolSchema = StandardSchema | JsonSchema;

/** A JSON Schema document. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** Declared as a method, so that a handler for one input type is accepted where tools are stored together. */
export type SkillToolHandler<Input, Output> = {
  handle(input: Input, context: SkillToolContext): Output | Promise<Output>;
}["handle"];

/** What a tool's handler may use besides its input. */
export interface SkillToolContext {
  readonly skill: Skill;
  readonly signal: AbortSignal;
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

/** What a model is told of where a skill comes from: only that it is another program's, if it is. */
export function originInWords({ origin }: Pick<Skill, "origin">): string | undefined {
  return origin.kind === "mcp" ? `MCP server '${origin.server}'` : undefined;
}

export function isStored(skill: Skill): skill is StoredSkill {
  return skill.origin.kind === "folder";
}
