import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const SOURCES = join(import.meta.dirname, "../../packages/skillset/src");

/** The files whose code matches, without tests. */
function filesWith(pattern: RegExp, allowed: RegExp): readonly string[] {
  return globSync("**/*.ts", { cwd: SOURCES })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => !path.endsWith(".test.ts") && !allowed.test(path))
    .filter((path) => pattern.test(readFileSync(join(SOURCES, path), "utf8")));
}

test("only core/ reaches inside a session", () => {
  expect(
    filesWith(/\bconversationOf\b|\/session\/(?:conversation|open-conversation|open-beside)\.ts"/, /^core\//),
  ).toEqual([]);
});

test("only core/session/ writes what a conversation has", () => {
  const writes = /\bresources(?:\.\w+\.(?:add|set|delete|clear|append|note)\(|\.\w+ =[^=>])|\bgiven\.add\(/;
  expect(filesWith(writes, /^core\/session\//)).toEqual([]);
});

test("conversations are created in one place", () => {
  expect(filesWith(/\bnew Conversation\(/, /^core\/session\/open-conversation\.ts$/)).toEqual([]);
});
