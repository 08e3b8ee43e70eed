import nodeFs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { Writable } from "node:stream";

const FILES = [
  "write",
  "writeSync",
  "writev",
  "writevSync",
  "writeFile",
  "writeFileSync",
  "appendFile",
  "appendFileSync",
] as const;
type FileWriter = (descriptor: number, ...rest: unknown[]) => unknown;

/**
 * Reserves stdout for one writer. Everything else that this process prints through `console`, `process.stdout` or file
 * descriptor 1 goes to stderr until `release()` is called. Child processes that inherit stdout are not redirected.
 */
export function reserveStdout(): { readonly wire: Writable; release(): void } {
  const { stdout, stderr } = process;
  const own = stdout.write;
  const wire = new Writable({
    // The underlying stream writes strings directly; decoding would copy them first.
    decodeStrings: false,
    write: (chunk: string | Uint8Array, encoding, done) => void own.call(stdout, chunk, encoding, done),
  });
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write;
  const { end } = stdout;
  // Code that ends stdout has finished printing, but the protocol continues.
  stdout.end = ((...last: unknown[]) => {
    if (typeof last[0] === "string" || last[0] instanceof Uint8Array) stderr.write(last[0]);
    return stdout;
  }) as typeof stdout.end;
  // Fast loggers write to the file descriptor directly.
  const fs = nodeFs as unknown as Record<(typeof FILES)[number], FileWriter>;
  const originals = FILES.map((name) => [name, fs[name]] as const);
  for (const [name, write] of originals)
    fs[name] = (descriptor, ...rest) => write(descriptor === 1 ? 2 : descriptor, ...rest);
  syncBuiltinESMExports();
  return {
    wire,
    release: () => {
      stdout.write = own;
      stdout.end = end;
      for (const [name, write] of originals) fs[name] = write;
      syncBuiltinESMExports();
    },
  };
}
