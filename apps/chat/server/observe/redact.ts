import { homedir } from "node:os";

/** Removes local paths from responses to non-admins and from all errors. */
export type Redact = <Value>(value: Value) => Value;

export function createRedact(projectRoot: string, home = homedir()): Redact {
  const known = (
    [
      [projectRoot, "."],
      [home, "~"],
    ] as const
  )
    .filter(([path]) => path.length > 1)
    .sort(([a], [b]) => b.length - a.length);
  const hide = (text: string): string => {
    let clean = text;
    for (const [path, name] of known) clean = replacePath(clean, path, name);
    // Any client can send text that is redacted, so each pattern must run in linear time.
    return clean
      .replace(/(["'`])(?:file:\/\/|\/|[A-Za-z]:[\\/]|\\\\)[^"'`]*\1/g, "$1<path>$1")
      .replace(
        /file:\/\/\S+|\\\\[^\s"'`]+|\b[A-Za-z]:[\\/][^\s"'`]*|(?<![\w.~/<])\/[:,.]*[^\s"'`/:,.]+(?:[^\s"'`/]*\/+[:,.]*[^\s"'`/:,.]+)*/g,
        "<path>",
      );
  };
  const walk = (value: unknown): unknown => {
    if (typeof value === "string") return hide(value);
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, walk(one)]));
  };
  return <Value>(value: Value) => walk(value) as Value;
}

function replacePath(text: string, path: string, name: string): string {
  return text.split(`${path}/`).join(`${name}/`).split(path).join(name);
}

/** A redacted error message, on one line of at most 500 characters. */
export function brief(message: string, redact: Redact): string {
  return shorten(redact(message.slice(0, 4_000)));
}

/** Shortens a message to one line of at most 500 characters. */
export function shorten(message: string): string {
  const line = message.replace(/\s+/g, " ").trim() || "unknown error";
  return line.length > 500 ? `${line.slice(0, 499).replace(/[\ud800-\udbff]$/, "")}…` : line;
}
