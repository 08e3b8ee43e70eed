import type { ScriptLimits } from "skillset/scripts";
import { isPlainPath, parseFiles, type RunRequest } from "./protocol.ts";

/** Parses the body of a run. Returns a sentence if it is wrong. Limits of the client apply up to those of the service. */
export function parseRun(body: unknown, most: ScriptLimits): RunRequest | string {
  if (typeof body !== "object" || body === null) return "The body must be an object.";
  const { skill, output, script, args, stdin, env, limits } = body as Partial<Record<keyof RunRequest, unknown>>;
  const [skillFiles, outputFiles] = [parseFiles(skill), parseFiles(output)];
  if (skillFiles === undefined || outputFiles === undefined)
    return "'skill' and 'output' must have plain paths with SHA-256 digests.";
  if (typeof script !== "string" || !isPlainPath(script) || !Object.hasOwn(skillFiles, script))
    return "'script' must be a file of the skill.";
  if (!Array.isArray(args) || !args.every(isString) || args.length > 1_000) return "'args' must be a list of texts.";
  if (!isString(stdin)) return "'stdin' must be a text.";
  if (typeof env !== "object" || env === null || !Object.entries(env).every(isVariable))
    return "'env' must have names of variables with texts.";
  if (typeof limits !== "object" || limits === null) return "'limits' must be an object.";
  const bounded = boundLimits(limits as Partial<Record<keyof ScriptLimits, unknown>>, most);
  if (bounded === undefined) return "Each limit must be a whole number above 0.";
  const variables = Object.fromEntries(Object.entries(env)) as Record<string, string>;
  return { skill: skillFiles, output: outputFiles, script, args, stdin, env: variables, limits: bounded };
}

function isString(value: unknown): value is string {
  return typeof value === "string";
}

function isVariable([name, value]: [string, unknown]): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && isString(value);
}

function boundLimits(
  given: Partial<Record<keyof ScriptLimits, unknown>>,
  most: ScriptLimits,
): ScriptLimits | undefined {
  const bounded: Record<string, number> = {};
  for (const [name, limit] of Object.entries(most)) {
    const value = given[name as keyof ScriptLimits];
    if (!Number.isSafeInteger(value) || (value as number) <= 0) return undefined;
    bounded[name] = Math.min(value as number, limit);
  }
  return bounded as unknown as ScriptLimits;
}
