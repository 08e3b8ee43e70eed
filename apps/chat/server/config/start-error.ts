/** What keeps the chat from starting, in one sentence for whoever can mend it. */
export class StartError extends Error {
  override readonly name = "StartError";
}
