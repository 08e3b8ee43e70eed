import { SkillError } from "./errors.ts";

/** Compiles a glob over skill names: `*`, `?`, `[a-z]`, `[!a-z]` and `{one,two}`. */
export function compileNameGlob(pattern: string): (name: string) => boolean {
  if (typeof pattern !== "string" || pattern === "") {
    throw new SkillError(
      "option-invalid",
      `A name pattern must be a text such as 'pdf-*'; got ${JSON.stringify(pattern)}.`,
    );
  }
  if (!/[*?[{]/.test(pattern)) return (name) => name === pattern;
  const expression = new RegExp(`^${toExpression(pattern)}$`, "u");
  return (name) => expression.test(name);
}

function toExpression(pattern: string): string {
  // Adjacent stars mean the same as one, and would make matching slow.
  return pattern
    .replaceAll(/\*+/g, "*")
    .replaceAll(/\[([!^]?)([^\][\\]+)\]|\{([^{}]*)\}|[\s\S]/g, (part, not, set, choices) => {
      if (set !== undefined) return `[${not ? "^" : ""}${escapeSet(set)}]`;
      if (choices !== undefined) return `(?:${choices.split(",").map(toExpression).join("|")})`;
      if (part === "*") return "[^]*";
      if (part === "?") return "[^]";
      return part.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
    });
}

/** Only a hyphen between two characters makes a range. */
function escapeSet(set: string): string {
  return set.replaceAll("^", "\\^").replace(/^-|-$/g, "\\-");
}
