/** An object of a JSON-RPC message. Everything in it is unchecked. */
export type Fields = Readonly<Record<string, unknown>>;

/** Parses a line. Returns undefined if it is not JSON, and `{}` for values that are not objects. */
export function parseLine(line: Buffer): Fields | undefined {
  try {
    return fieldsOf(JSON.parse(line.toString("utf8")));
  } catch {
    return undefined;
  }
}

export function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Changes the parameters or the result of a message, and nothing else. Numbers keep their spelling. */
export function rewriteLine(line: Buffer, part: "params" | "result", change: (fields: Fields) => Fields): string {
  const message = fieldsOf(JSON.parse(line.toString("utf8"), keepNumber as never));
  return toLine({ ...message, [part]: change(fieldsOf(message[part])) });
}

export function toLine(message: object): string {
  return `${JSON.stringify(message)}\n`;
}

/** Requests are told apart by type and value: `1` and `"1"` are different. */
export function idKey(id: unknown): string {
  return JSON.stringify(id) ?? "";
}

/** A number such as 2^60 or 1.0 would be written differently. */
function keepNumber(_key: string, value: unknown, { source }: { readonly source?: string }): unknown {
  if (typeof value !== "number" || source === undefined || String(value) === source) return value;
  return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(source);
}
