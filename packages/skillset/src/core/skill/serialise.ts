import { SkillError } from "../base/errors.ts";
import { trimBody } from "../manifest/frontmatter.ts";
import { resolvePlain } from "../manifest/yaml-node.ts";
import type { Skill } from "./skill.ts";

/** The content of a SKILL.md. A skill in code is one. */
export type SkillMdSource = Pick<Skill, "name" | "description"> &
  Partial<
    Pick<
      Skill,
      "license" | "compatibility" | "metadata" | "allowedTools" | "extra" | "modelInvocable" | "userInvocable"
    >
  > & { readonly body: string };

/**
 * Serializes a SKILL.md that any YAML parser reads back to the same values.
 * @example
 * ```ts
 * import { toSkillMd } from "skillset";
 *
 * console.log(toSkillMd({ name: "brew-tea", description: "Brews tea.", body: "Boil water." }));
 * ```
 */
export function toSkillMd({
  name,
  description,
  license,
  compatibility,
  metadata = {},
  allowedTools = [],
  extra = {},
  modelInvocable = true,
  userInvocable = true,
  body,
}: SkillMdSource): string {
  if (typeof body !== "string") throw new SkillError("option-invalid", "toSkillMd() requires a string as 'body'.");
  const lines = [`name: ${scalar(name)}`, `description: ${scalar(description)}`];
  if (license !== undefined) lines.push(`license: ${scalar(license)}`);
  if (compatibility !== undefined) lines.push(`compatibility: ${scalar(compatibility)}`);
  if (allowedTools.length > 0) lines.push(`allowed-tools: ${scalar(allowedTools.join(" "))}`);
  const pairs = Object.entries(metadata);
  if (pairs.length > 0) lines.push("metadata:", ...pairs.map(([key, value]) => `  ${scalar(key)}: ${scalar(value)}`));
  const flags = {
    ...(!modelInvocable && { "disable-model-invocation": true }),
    ...(!userInvocable && { "user-invocable": false }),
  };
  for (const [key, value] of Object.entries({ ...flags, ...extra })) {
    lines.push(
      `${scalar(key)}: ${typeof value === "string" ? scalar(value) : escapeUnprintable(JSON.stringify(value) ?? "null")}`,
    );
  }
  const text = trimBody(body);
  return `---\n${lines.join("\n")}\n---\n${text === "" ? "" : `\n${text}\n`}`;
}

/** Leaves out quotes only if every YAML version, and simple line-based parsers, read the same text. */
function scalar(text: string): string {
  const safe =
    /^[A-Za-z][A-Za-z0-9 ,.()/_'’-]*$/.test(text) && !/\s$|^(?:y|n|yes|no|on|off|true|false|null)$/i.test(text);
  return safe && typeof resolvePlain(text) === "string" ? text : escapeUnprintable(JSON.stringify(text));
}

/** Escapes characters that JSON keeps but YAML rejects or treats as line breaks. */
function escapeUnprintable(json: string): string {
  return json.replace(
    /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
