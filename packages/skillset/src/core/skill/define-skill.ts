import { SkillError, SkillValidationError } from "../base/errors.ts";
import { invalid } from "../base/invalid.ts";
import { LIMITS } from "../base/limits.ts";
import { trimBody } from "../manifest/frontmatter.ts";
import { checkManifest } from "../manifest/manifest.ts";
import { ManifestReport } from "../manifest/manifest-report.ts";
import { resolvePolicy } from "../manifest/policy.ts";
import { fromValue } from "../manifest/yaml-node.ts";
import { byteLength } from "../text/bytes.ts";
import { sha256 } from "../text/sha256.ts";
import { faultOf } from "../tool/check-tool.ts";
import { jsonSchemaOf } from "../tool/schema.ts";
import { changeMark } from "./fingerprint.ts";
import { describeContents, type FileContent, memoryFiles } from "./memory-files.ts";
import { type SkillMdSource, toSkillMd } from "./serialise.ts";
import type { SkillTool, VirtualSkill } from "./skill.ts";

/** The definition of a skill in code. */
export interface SkillDefinition {
  /** The name: 1 to 64 lowercase letters, digits and hyphens. */
  readonly name: string;
  /** What the skill does and when to use it. The model sees only this until it activates the skill. */
  readonly description: string;
  /** The instructions, in Markdown. */
  readonly body: string;
  /** The license of the skill. */
  readonly license?: string;
  /** What the skill requires to run. */
  readonly compatibility?: string;
  /** Additional fields. */
  readonly metadata?: Readonly<Record<string, string>>;
  /**
   * The agent's tools that the skill may use without asking.
   * @default []
   */
  readonly allowedTools?: readonly string[];
  /**
   * Hides the skill from models. Users can still invoke it.
   * @default false
   */
  readonly disableModelInvocation?: boolean;
  /**
   * Lets users invoke the skill by name.
   * @default true
   */
  readonly userInvocable?: boolean;
  /** Files by path within the skill, such as `references/kinds.md`. Without SKILL.md. */
  readonly files?: Readonly<Record<string, FileContent>>;
}

/** The tools of a definition. Each handler's input has the type that its schema returns. */
export interface ToolsOf<Inputs extends unknown[]> {
  readonly tools?: { readonly [Index in keyof Inputs]: SkillTool<Inputs[Index]> };
}

/**
 * Defines a skill in code. Throws if the definition breaks the standard.
 * @example
 * ```ts
 * import { defineSkill } from "skillset";
 *
 * const tea = defineSkill({
 *   name: "brew-tea",
 *   description: "Brews tea. Use when the user asks for tea.",
 *   body: "Boil water to 80 °C for green tea, and to 100 °C for black tea.",
 * });
 * console.log(tea.name);
 * ```
 */
export function defineSkill<Inputs extends unknown[] = []>(
  definition: SkillDefinition & ToolsOf<Inputs>,
): VirtualSkill {
  if (typeof definition !== "object" || definition === null) {
    throw new SkillError("option-invalid", "defineSkill() requires an object with 'name', 'description' and 'body'.");
  }
  if ("instructions" in definition)
    throw new SkillError("option-invalid", "defineSkill() has no field 'instructions'. Use 'body'.");
  const {
    body,
    tools = [],
    disableModelInvocation = false,
    userInvocable = true,
    allowedTools = [],
    files: given = {},
    ...fields
  } = definition;
  if (!Array.isArray(allowedTools) || allowedTools.some((tool) => typeof tool !== "string"))
    throw new SkillError("option-invalid", "'allowedTools' must be an array of strings.");
  const manifest = checkDefinition({
    ...fields,
    ...(allowedTools.length > 0 && { "allowed-tools": allowedTools.join(" ") }),
  });
  if (typeof body !== "string")
    throw new SkillError("option-invalid", `The body of skill '${manifest.name}' must be a string.`);
  const size = byteLength(body);
  if (size > LIMITS.hard.skillMd) {
    throw new SkillError(
      "skill-too-large",
      `The body of skill '${manifest.name}' has ${size} bytes. The maximum is ${LIMITS.hard.skillMd}.`,
    );
  }
  const text = trimBody(body);
  const checked = checkTools(manifest.name, tools as readonly SkillTool[]);
  const { files, contents } = memoryFiles(manifest.name, given);
  const source = { ...manifest, allowedTools, modelInvocable: !disableModelInvocation, userInvocable, body: text };
  let stamp: string | undefined;
  return Object.freeze({
    ...manifest,
    allowedTools: Object.freeze([...allowedTools]),
    modelInvocable: !disableModelInvocation,
    userInvocable,
    origin: INLINE,
    isTrusted: true,
    tools: checked,
    files,
    body: text,
    instructions: async () => text,
    get stamp() {
      stamp ??= changeMark([describeAll(source, checked), ...[...contents].flat()]);
      return stamp;
    },
    digest: async () => sha256(describeAll(source, checked) + (await describeContents(contents))),
  });
}

/** Serializes the skill's content, without the code of its handlers. */
function describeAll(source: SkillMdSource, tools: readonly SkillTool[]): string {
  const described = tools.map((tool) => [tool.name, tool.description, jsonSchemaOf(tool.inputSchema) ?? null]);
  return `${toSkillMd(source)}\0${JSON.stringify(described)}`;
}

function checkDefinition(fields: Readonly<Record<string, unknown>>) {
  const node = fromValue(fields);
  const report = new ManifestReport({ policy: resolvePolicy({ policy: "strict" }) });
  const manifest = checkManifest(node.kind === "mapping" ? node.entries : [], report);
  const { problems } = report;
  if (manifest === undefined) throw invalid(problems, typeof fields.name === "string" ? fields.name : "skill");
  const hidden = problems.find(({ code }) => code === "hidden-text");
  if (hidden !== undefined)
    throw new SkillValidationError(`Invalid skill '${manifest.name}': ${hidden.message}`, problems);
  return manifest;
}

function checkTools(skillName: string, tools: readonly SkillTool[]): readonly SkillTool[] {
  if (!Array.isArray(tools)) {
    const message = `The tools of skill '${skillName}' must be an array of { name, description, inputSchema, handler }.`;
    throw new SkillError("option-invalid", message);
  }
  const seen = new Set<string>();
  for (const tool of tools) {
    // Dots are allowed here, because a model sees the tool under another name.
    const fault = faultOf(tool, { dots: true });
    if (fault !== undefined)
      throw new SkillError("option-invalid", `Tool '${tool?.name}' of skill '${skillName}' ${fault}.`);
    if (seen.has(tool.name))
      throw new SkillError(
        "option-invalid",
        `Skill '${skillName}' has two tools named '${tool.name}'. Rename one of them.`,
      );
    seen.add(tool.name);
  }
  return Object.freeze(tools.map((tool) => Object.freeze({ ...tool })));
}

const INLINE = Object.freeze({ kind: "inline" as const });
