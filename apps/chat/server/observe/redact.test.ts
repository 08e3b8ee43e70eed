import { expect, test } from "vitest";
import { brief, createRedact, shorten } from "./redact.ts";

const redact = createRedact("/srv/chat", "/home/ann");

test.each([
  ["/srv/chat/.skills/pdf/SKILL.md", "./.skills/pdf/SKILL.md"],
  ["No skills at '/srv/chat/.skills': it does not exist.", "No skills at './.skills': it does not exist."],
  ["/home/ann/.agents/skills", "~/.agents/skills"],
  ["ENOENT: open '/var/lib/some where/db'", "ENOENT: open '<path>'"],
  ["see /etc/passwd, or /opt.", "see <path>, or <path>."],
  ["file:///etc/passwd and C:\\Users\\ann\\x.txt", "<path> and <path>"],
  ["/var/lib/.hidden/secret.txt:3:7", "<path>.txt:3:7"],
  ["/a/b//c/:/d/ and /srv2/x.", "<path>/:<path>/ and <path>."],
  [
    "read and/or write ./a/b or a/b at http://127.0.0.1:80/x",
    "read and/or write ./a/b or a/b at http://127.0.0.1:80/x",
  ],
])("%s loses its secrets and absolute paths", (text, clean) => {
  expect(redact(text)).toBe(clean);
});

test("nested values are redacted", () => {
  expect(redact({ a: ["/srv/chat/x", 1, null], b: { c: "/root/.ssh/id" } })).toEqual({
    a: ["./x", 1, null],
    b: { c: "<path>" },
  });
});

test("a message is shortened to one line of at most 500 characters", () => {
  expect(shorten("a\n  b")).toBe("a b");
  expect(shorten("é".repeat(900))).toHaveLength(500);
});

test.each([":/", "/:", "(/a", "'/", '"/"', "/./", "//", "\\\\", "C:/", "/a,", "file://", "/a ", "`/a"])(
  "S19: a megabyte of %j is redacted before a deadline that a backtracking pattern misses",
  (unit) => {
    const text = `(${unit.repeat(1024 * 1024)}`.slice(0, 1024 * 1024);
    expect(redact(text).length).toBeGreaterThan(0);
    expect(brief(text, redact).length).toBeLessThanOrEqual(500);
  },
  20_000,
);
