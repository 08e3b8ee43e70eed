import { SkillError } from "../base/errors.ts";

/** Names a value in an error about a wrong argument, such as "an array" or "a promise: add 'await'". */
export function describeValue(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value === "string")
    return `the text ${JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)}`;
  if (typeof value !== "object")
    return typeof value === "function" ? "a function" : `the ${typeof value} ${String(value)}`;
  if (Array.isArray(value)) return "an array";
  if (isFunction(value, "then")) return "a promise: add 'await'";
  if (KINDS.session.is(value)) return "a session";
  if (KINDS.skillset.is(value)) return "a skillset";
  const name: unknown = Object.getPrototypeOf(value)?.constructor?.name;
  return typeof name === "string" && name !== "" && name !== "Object"
    ? `${/^[AEIOU]/.test(name) ? "an" : "a"} ${name}`
    : "an object";
}

/** Throws if an argument is not a text: `read() takes the path of a file, not undefined.` */
export function checkText(call: string, what: string, value: unknown): void {
  if (typeof value !== "string")
    throw new SkillError("option-invalid", `${call} takes ${what}, not ${describeValue(value)}.`);
}

/** Throws if the value is not a session or a skillset, and says how to get one. */
export function checkKind(what: string, kind: keyof typeof KINDS, value: unknown): void {
  if (typeof value === "object" && value !== null && KINDS[kind].is(value)) return;
  const { name, fix } = KINDS[kind];
  const described = describeValue(value);
  const isForgotten = described.endsWith("'await'");
  throw new SkillError("option-invalid", `${what} must be ${name}, not ${described}.${isForgotten ? "" : ` ${fix}`}`);
}

/** Throws if the value lacks one of the methods. `fix` says what to pass instead. */
export function checkMethods(what: string, value: unknown, methods: readonly string[], fix?: string): void {
  const given = typeof value === "object" && value !== null ? value : {};
  const missing = methods.find((method) => !isFunction(given, method));
  if (missing === undefined) return;
  const needed = `${what} needs the method${methods.length > 1 ? "s" : ""} ${methods.map((one) => `'${one}'`).join(" and ")}`;
  const described = describeValue(value);
  const wrong = described === "an object" ? `'${missing}' is missing.` : `got ${described}.`;
  throw new SkillError("option-invalid", `${needed}; ${wrong}${fix === undefined ? "" : ` ${fix}`}`);
}

/** Whether a value is a session or a skillset. People pass them where their options belong. */
export function isSessionOrSkillset(value: object): boolean {
  return KINDS.session.is(value) || KINDS.skillset.is(value);
}

/** By their methods: a program may load two copies of the library. */
const KINDS = {
  session: {
    name: "a session",
    fix: "Create one with 'await skillset.session()'.",
    is: (value: object) => isFunction(value, "turn") && isFunction(value, "activate"),
  },
  skillset: {
    name: "a skillset",
    fix: "Create one with 'await createSkillset(…)'.",
    is: (value: object) => isFunction(value, "session") && isFunction(value, "catalog"),
  },
} as const;

function isFunction(value: object, method: string): boolean {
  return typeof (value as Readonly<Record<string, unknown>>)[method] === "function";
}
