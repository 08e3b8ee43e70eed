import { untilAborted } from "../base/until-aborted.ts";
import type { RunSecrets } from "../host/script-host.ts";
import { readRequirements } from "../manifest/requirements.ts";
import { Redactor } from "../script/redactor.ts";
import type { ScriptSecrets, SecretsRequest } from "../script/script.ts";
import type { Skill } from "../skill/skill.ts";

/** The values that scripts of a session got. They are only in memory, so that nothing later shows them. */
export class SessionSecrets {
  readonly #values = new Map<string, readonly [name: string, value: string]>();
  /** Hides every value of the session. */
  #redactor = new Redactor([]);

  /** Asks for the variables that a skill names. Returns one sentence if one of them is missing. */
  async supply(
    supply: ScriptSecrets | undefined,
    { metadata, name: skill }: Skill,
    { digest, signal }: Pick<SecretsRequest, "digest" | "signal">,
  ): Promise<RunSecrets | string> {
    const names = variableNames({ metadata });
    if (supply === undefined || names.length === 0) return { env: {}, redactor: this.#redactor.forRun({}) };
    const why = `The scripts of skill '${skill}' may not run`;
    let given: unknown;
    try {
      given = await untilAborted(signal, Promise.resolve(supply({ skill, digest, names, signal })));
    } catch {
      signal.throwIfAborted();
      // The message of the error may contain what it was about to return.
      return `${why}: the host could not supply ${names.join(", ")}.`;
    }
    const values = names.map((name) => [name, ownValue(given, name)] as const);
    for (const [name, value] of values) {
      const fault = faultOf(value);
      if (fault !== undefined) return `${why}: the variable '${name}' ${fault}.`;
    }
    const env = Object.fromEntries(values) as Record<string, string>;
    this.#remember(env);
    return { env, redactor: this.#redactor.forRun(env) };
  }

  #remember(env: Readonly<Record<string, string>>): void {
    const known = this.#values.size;
    for (const [name, value] of Object.entries(env)) this.#values.set(`${name}\0${value}`, [name, value]);
    if (this.#values.size > known) this.#redactor = new Redactor(this.#values.values());
  }
}

/** The variables that a skill names in `metadata.env`. */
export function variableNames({ metadata }: Pick<Skill, "metadata">): readonly string[] {
  const all = metadata.env === undefined ? [] : readRequirements({ env: metadata.env });
  return [...new Set(all.map(({ name }) => name))];
}

/** Not an inherited property: a variable may be named `constructor`. */
function ownValue(given: unknown, name: string): unknown {
  const isObject = typeof given === "object" && given !== null;
  return isObject && Object.hasOwn(given, name) ? (given as Readonly<Record<string, unknown>>)[name] : undefined;
}

/** What is wrong with a value, without the value. */
function faultOf(value: unknown): string | undefined {
  if (value === undefined || value === "") return "is missing";
  if (typeof value !== "string") return "is not a text";
  if (value.length > LONGEST_VALUE) return `is longer than ${LONGEST_VALUE} characters`;
  // Output is shown without them, so the value would not be recognised there.
  if (/(?![\t\n\r])\p{Cc}/u.test(value)) return "contains control characters";
  return value.isWellFormed() ? undefined : "is not valid Unicode";
}

/** The key of a service account has about 2,400. */
const LONGEST_VALUE = 16_384;
