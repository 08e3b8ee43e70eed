/** An error that prevents the start. Its message explains the fix, so no stack is printed. */
export class StartError extends Error {
  override readonly name = "StartError";
}
