/** Runs the work and returns the CPU time in milliseconds that it needs on this thread. Other work on the machine does not count. */
export function withCpuTime<Result>(work: () => Result): { readonly result: Result; readonly cpuTime: number } {
  const before = process.threadCpuUsage();
  const result = work();
  const { user, system } = process.threadCpuUsage(before);
  return { result, cpuTime: (user + system) / 1_000 };
}
