import { expect, test } from "vitest";
import type { Output } from "./io.ts";
import { write } from "./write.ts";

test.each([
  ["many short pieces", Array.from({ length: 30_000 }, (_, index) => `${index} é 茶 🍵\n`)],
  ["a piece longer than a chunk between short ones", ["a", "茶🍵".repeat(60_000), "b", ""]],
  ["nothing", []],
])("%s arrive unchanged and in order", async (_, pieces) => {
  const { output, written } = collect();
  await write(output, pieces);
  expect(written()).toBe(pieces.join(""));
});

test("a chunk is sent only after the one before it is written", async () => {
  let open = 0;
  const output: Output = {
    write(_chunk, done) {
      expect(++open).toBe(1);
      setImmediate(() => {
        open--;
        done();
      });
    },
  };
  await write(
    output,
    Array.from({ length: 300 }, () => "x".repeat(1_000)),
  );
  expect(open).toBe(0);
});

test("an error of the output rejects", async () => {
  const output: Output = { write: (_chunk, done) => done(new Error("closed")) };
  await expect(write(output, ["text"])).rejects.toThrow("closed");
});

/** Copies each chunk, because the next one uses the same buffer. */
function collect(): { output: Output; written: () => string } {
  const chunks: Buffer[] = [];
  const output: Output = {
    write(chunk, done) {
      chunks.push(Buffer.from(chunk));
      done();
    },
  };
  return { output, written: () => Buffer.concat(chunks).toString() };
}
