/**
 * Has this program end by an exit, which takes its agents along, where a signal would end it at once: agents run in
 * groups of their own, and do not hear that a terminal is closed. For Ctrl-C that is the second one; the first cancels.
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
