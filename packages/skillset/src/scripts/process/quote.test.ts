import { spawnSync } from "node:child_process";
import { text } from "node:stream/consumers";
import { createJustBashSandbox } from "@ai-sdk/sandbox-just-bash";
import fc from "fast-check";
import { expect, test } from "vitest";
import { quote } from "./quote.ts";

/** Each starts a process. */
const CASES = Math.min(Number(process.env.CASES ?? 100), 2_000);

/** Mostly characters with a meaning in shells, and any others. No program can receive NUL or half a character. */
const character = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(..."'\"\\$`!*?[]{}()<>|&;#~=%^-+@:,./ \t\r\n") },
  { weight: 1, arbitrary: fc.constantFrom("$(", `\${`, "'\\''", "\\'", "$'", "\n ", "\\\n", "é", "🍵", "\u202e") },
  { weight: 2, arbitrary: fc.string({ unit: "binary", minLength: 1, maxLength: 3 }) },
);
const word = fc
  .array(character, { maxLength: 20 })
  .map((parts) => parts.join(""))
  .filter((one) => !one.includes("\0"));
const words = fc.array(word, { minLength: 1, maxLength: 12 });

test.each(["/bin/sh", "/bin/bash"])("quoted words are the arguments that a program gets from %s", (shell) => {
  const argumentsOf = (line: string): readonly string[] => {
    const { stdout } = spawnSync(shell, ["-c", `printf '%s\\0' ${line}`], { encoding: "utf8" });
    return stdout.split("\0").slice(0, -1);
  };
  fc.assert(
    fc.property(words, (given) => {
      expect(argumentsOf(quote(...given))).toEqual(given);
    }),
    { numRuns: CASES },
  );
  // The same without quotes around the words: the test can fail.
  expect(argumentsOf("a'b c'$((1 + 1))")).not.toEqual(["a'b", "c'$((1", "+", "1))"]);
  expect(argumentsOf(quote("x".repeat(100_000)))).toEqual(["x".repeat(100_000)]);
});

test("quoted words are the arguments that a command gets from the AI SDK's just-bash", async () => {
  const session = await createJustBashSandbox().createSession();
  const property = fc.asyncProperty(words, async (given) => {
    const line = `for one in ${quote(...given)}; do printf '%s<end>' "$one"; done >/tmp/out`;
    // As a file: the session removes spaces after line breaks, even in quotes.
    await session.writeTextFile({ path: "/tmp/line", content: line });
    await session.run({ command: `. ${quote("/tmp/line")}` });
    const stream = await session.readFile({ path: "/tmp/out" });
    expect((await text(stream as ReadableStream)).split("<end>").slice(0, -1)).toEqual(given);
  });
  await fc.assert(property, { numRuns: CASES });
});

test("a word with a NUL character is refused", () => {
  expect(() => quote("a", "b\0c")).toThrow("NUL");
});
