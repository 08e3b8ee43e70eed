import { heapUsage, type Memory } from "./mcp-memory.ts";

/** What a process can be asked for: its memory after garbage collection, or the milliseconds of CPU that it has used. */
export interface ProcessUse {
  readonly memory: Memory;
  readonly cpu: number;
}

/** Sends `ready` to the parent, then what the parent asks for. Ends with the parent. */
export function reportProcess(ready: string, close: () => Promise<unknown> = async () => {}): void {
  const read: { readonly [Key in keyof ProcessUse]: () => ProcessUse[Key] } = {
    memory: heapUsage,
    cpu: () => (process.cpuUsage().user + process.cpuUsage().system) / 1000,
  };
  process.send?.(ready);
  process.on("message", (asked: keyof ProcessUse) => process.send?.(read[asked]()));
  process.on("disconnect", () => void close().then(() => process.exit()));
}
