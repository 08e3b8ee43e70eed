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
 * Keeps stdout for one writer: everything else that this process prints, through `console`, `process.stdout` or file
 * descriptor 1, goes to stderr until it is released. A child process that inherits stdout is out of its reach.
 */
export function reserveStdout(): { readonly wire: Writable; release(): void } {
  const { stdout, stderr } = process;
  const own = stdout.write;
  const wire = new Writable({
    // The stream behind it writes a text as it is; here it would be copied first.
    decodeStrings: false,
    write: (chunk: string | Uint8Array, encoding, done) => void own.call(stdout, chunk, encoding, done),
  });
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write;
  const { end } = stdout;
  // Whoever ends stdout has printed what there was; the protocol goes on.
  stdout.end = ((...last: unknown[]) => {
    if (typeof last[0] === "string" || last[0] instanceof Uint8Array) stderr.write(last[0]);
    return stdout;
  }) as typeof stdout.end;
  // Loggers that are meant to be fast write to the descriptor itself.
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
