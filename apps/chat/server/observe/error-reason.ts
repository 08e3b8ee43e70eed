/** The reason for a failure. Query errors contain the query's values, so their cause is used instead. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause, message } = error;
  if (cause instanceof Error && "query" in error) return reasonOf(cause);
  return message || String((error as NodeJS.ErrnoException).code ?? error.name);
}

/** The stack without the message, which may contain chat content. */
export function placesOf(error: unknown): readonly string[] {
  const stack = error instanceof Error ? (error.stack ?? "").replace(error.message, "") : "";
  return stack.split("\n").flatMap((line) => (/^\s+at /.test(line) ? [line.trim()] : []));
}
