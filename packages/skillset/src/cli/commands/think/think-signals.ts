/**
 * Exits on signals instead of being killed, so that the agents are ended too: they run in separate process groups and do
 * not notice that a terminal is closed. The first Ctrl-C cancels the turn; the second one exits.
 */
export function exitOnSignals(interrupted: AbortSignal): () => void {
  const over = new AbortController();
  const exitOn = (name: NodeJS.Signals, code: number): void => {
    const exit = (): never => process.exit(code);
    process.once(name, exit);
    over.signal.addEventListener("abort", () => void process.off(name, exit));
  };
  exitOn("SIGTERM", 143);
  exitOn("SIGHUP", 129);
  interrupted.addEventListener("abort", () => exitOn("SIGINT", 130), { once: true, signal: over.signal });
  return () => over.abort();
}
