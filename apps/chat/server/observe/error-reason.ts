/** Why something failed. An error of a query repeats the query with its values, so its cause speaks for it. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause, message } = error;
  if (cause instanceof Error && "query" in error) return reasonOf(cause);
  return message || String((error as NodeJS.ErrnoException).code ?? error.name);
}

/** Where it failed, without the message, which may hold what somebody wrote. */
export function placesOf(error: unknown): readonly string[] {
  const stack = error instanceof Error ? (error.stack ?? "").replace(error.message, "") : "";
  return stack.split("\n").flatMap((line) => (/^\s+at /.test(line) ? [line.trim()] : []));
}
