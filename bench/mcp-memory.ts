import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

export interface Memory {
  readonly heap: number;
  readonly resident: number;
}

/** Returns the used memory after garbage collection, in bytes. */
export function heapUsage(): Memory {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  collect();
  const { heapUsed, rss } = process.memoryUsage();
  return { heap: heapUsed, resident: rss };
}
