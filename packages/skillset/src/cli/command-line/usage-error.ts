/** Wrong usage of the command line. The message is one or two sentences for the user. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
