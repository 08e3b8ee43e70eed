/** The command line was called in a way that it does not know; the message is one sentence. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
