/** The values of environment variables that look like secrets, longest first. Short ones would match everywhere. */
export function secretsOf(...environments: readonly NodeJS.ProcessEnv[]): readonly string[] {
  const entries = environments.flatMap((environment) => Object.entries(environment));
  const values = entries.flatMap(([name, value = ""]) => (isSecretVariable(name) ? [value.trim()] : []));
  const long = values.filter((value) => value.length >= SHORTEST);
  return [...new Set(long)].sort((one, other) => other.length - one.length);
}

/** Returns a value as JSON, with `…` in place of secrets. */
export function withoutSecrets(value: unknown, secrets: readonly string[]): string {
  return JSON.stringify(cleaned(value, secrets));
}

const HIDDEN = "…";
const SHORTEST = 6;

/** What the names of headers, fields and flags end with if their values are secrets. */
const ENDING =
  "(?:key|token|secret|password|passwd|passphrase|credential|auth|authorization|cookie)s?(?:[-_]?(?:id|\\d+))?";
const SECRET = new RegExp(`${ENDING}$`, "i");

/** The names of variables contain such words anywhere, as in `OPENAI_API_KEY_PROD`. */
const SECRET_VARIABLE = /key|token|secret|pass|pwd|credential|auth|cookie|(?:^|_)pat(?:_|$)/i;

/** The working directory, which is part of most paths. */
const WORKING_DIRECTORY = /^(?:OLD)?PWD$/i;

/** The fields of MCP servers that contain variables or headers, whatever their names are. */
const VARIABLES: ReadonlySet<string> = new Set(["env", "headers"]);

function isSecretVariable(name: string): boolean {
  return SECRET_VARIABLE.test(name) && !WORKING_DIRECTORY.test(name);
}

/** Names in capitals are those of variables. */
function isSecretName(name: string): boolean {
  return SECRET.test(name) || (/^[A-Z][A-Z\d_]*$/.test(name) && isSecretVariable(name));
}

/** A copy without secrets. All text in a secret part is hidden; numbers, such as counts of tokens, stay. */
function cleaned(part: unknown, secrets: readonly string[], isSecret = false): unknown {
  if (typeof part === "string") return isSecret ? HIDDEN : hideIn(part, secrets);
  if (typeof part !== "object" || part === null) return part;
  if (Array.isArray(part))
    return part.map((one: unknown, index) => cleaned(one, secrets, isSecret || isValueOf(part[index - 1], one)));
  const { name } = part as { readonly name?: unknown };
  // A variable or header in a list.
  const isNamed = typeof name === "string" && isSecretName(name);
  const entries = Object.entries(part).map(([key, one]: [string, unknown]) => {
    const shown = VARIABLES.has(key) && typeof one === "object" && one !== null ? hideValues(one) : one;
    return [
      hideIn(key, secrets),
      cleaned(shown, secrets, isSecret || isSecretName(key) || (isNamed && key === "value")),
    ];
  });
  return Object.fromEntries(entries);
}

/** Whether an argument is the value of a secret flag, as in `["--api-key", "…"]`. */
function isValueOf(flag: unknown, value: unknown): boolean {
  const isFlag = typeof flag === "string" && /^--?[\w-]+$/.test(flag) && SECRET.test(flag);
  return isFlag && typeof value === "string" && !value.startsWith("--");
}

function hideValues(variables: object): unknown {
  if (Array.isArray(variables))
    return variables.map((one: unknown) => (typeof one === "object" && one !== null ? { ...one, value: HIDDEN } : one));
  return Object.fromEntries(Object.keys(variables).map((name) => [name, HIDDEN]));
}

function hideIn(text: string, secrets: readonly string[]): string {
  const known = secrets.reduce((shown, secret) => shown.replaceAll(secret, HIDDEN), text);
  return [BEARER, PARAMETER, FLAG, ASSIGNMENT]
    .reduce((shown, pattern) => shown.replace(pattern, `$1${HIDDEN}`), known)
    .replace(LOGIN, `$1${HIDDEN}@`)
    .replace(OWN_TOKEN, HIDDEN);
}

const BEARER = /\b(Bearer |Basic )[^\s"',;]+/gi;

// Names are bounded, because a search for longer ones takes too long in a long text.

/** As in `?access_token=…`. */
const PARAMETER = new RegExp(`([?&][\\w.-]{0,64}${ENDING}=)[^\\s&#"']+`, "gi");

/** As in `--api-key …` and `--api-key=…`. */
const VALUE = `(?:"[^"]*"|'[^']*'|[^\\s"']+)`;
const FLAG = new RegExp(`((?<![\\w-])--[\\w-]{0,64}${ENDING}(?:=|\\s{1,8}(?!-)))${VALUE}`, "gi");

/** As in `API_KEY=… program`. */
const ASSIGNMENT = new RegExp(
  `(\\b(?!(?:OLD)?PWD=)[A-Z\\d_]{0,64}(?:KEY|TOKEN|SECRET|PASS|PWD|CREDENTIAL|AUTH|COOKIE|(?:\\b|_)PAT(?=[_=]))[A-Z\\d_]{0,64}=)${VALUE}`,
  "g",
);

/** The name and password in a URL. */
const LOGIN = /(:\/\/)[^\s/?#@]+@/g;

/** The random tokens of this library: 32 bytes in base64url. */
const OWN_TOKEN = /(?<![\w-])[\w-]{43}(?![\w-])/g;
