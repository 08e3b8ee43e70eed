import { describe, expect, test } from "vitest";
import { Redactor } from "./redactor.ts";

const SECRET = "sk-Canary_7f3a/9Q+zz 42!";
const redactor = new Redactor([["TOKEN", SECRET]]);
const utf8 = (text: string): Buffer => Buffer.from(text);

const FORMS: readonly (readonly [name: string, form: string])[] = [
  ["itself", SECRET],
  ["upper case", SECRET.toUpperCase()],
  ["between spaces", [...SECRET].join(" ")],
  ["wrapped and indented", SECRET.replace("9Q", "9\n            Q")],
  ["JSON", JSON.stringify(SECRET)],
  ["Unicode escapes", [...SECRET].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")],
  ["a URL", encodeURIComponent(SECRET)],
  ["a form", new URLSearchParams({ a: SECRET }).toString()],
  ["percent escapes for every byte", [...utf8(SECRET)].map((byte) => `%${byte.toString(16)}`).join("")],
  ["hex", utf8(SECRET).toString("hex")],
  ["upper-case hex with colons", (utf8(SECRET).toString("hex").toUpperCase().match(/../g) ?? []).join(":")],
  ["\\x escapes", [...utf8(SECRET)].map((byte) => `\\x${byte.toString(16)}`).join("")],
  ["a list of hex numbers", [...utf8(SECRET)].map((byte) => `0x${byte.toString(16)}`).join(", ")],
  ["a list of bytes", JSON.stringify(utf8(SECRET))],
  ["base64url", utf8(SECRET).toString("base64url")],
  ["backwards", [...SECRET].reverse().join("")],
  ...["", "a", "ab", "abc"].flatMap((before) =>
    ["", "y", "yz"].map((after) => {
      const encoded = utf8(before + SECRET + after).toString("base64");
      return [`base64 between '${before}' and '${after}'`, encoded] as const;
    }),
  ),
  [
    "base64 in lines",
    (
      utf8(SECRET)
        .toString("base64")
        .match(/.{1,9}/g) ?? []
    ).join("\n"),
  ],
];

describe.each(FORMS)("%s", (_, form) => {
  const text = `before ${form} after\n`;

  test("is replaced by the name", () => {
    expect(redactor.text(text)).toMatch(/^before [\s\S]{0,26}\[TOKEN\][\s\S]{0,12} after\n$/);
  });

  test("is replaced wherever the text is cut into parts", () => {
    const whole = redactor.text(text);
    for (let cut = 0; cut <= text.length; cut++) {
      const stream = redactor.stream();
      expect(stream.push(text.slice(0, cut)) + stream.push(text.slice(cut)) + stream.end()).toBe(whole);
    }
  });

  test("is replaced in single characters", () => {
    const stream = redactor.stream();
    expect([...text].map((one) => stream.push(one)).join("") + stream.end()).toBe(redactor.text(text));
  });
});

test("the value itself is replaced with its punctuation", () => {
  expect(redactor.text(`a ${SECRET}${SECRET}! b`)).toBe("a [TOKEN][TOKEN]! b");
  expect(new Redactor([["A", "((?pass-word-1!!"]]).text("<((?pass-word-1!!>")).toBe("<[A]>");
});

test("only what may be the start of a secret is held back", () => {
  const stream = redactor.stream();
  expect(stream.push("Reading page 1\n")).toBe("Reading page 1\n");
  expect(stream.push("key: sk-can")).toBe("key: ");
  expect(stream.push("non\n")).toBe("sk-cannon\n");
  expect(stream.push("key: sk-Can\n")).toBe("key: ");
  expect(stream.push("yon\n")).toBe("sk-Can\nyon\n");
  expect(stream.push(`${SECRET} is good.\n`)).toBe("[TOKEN] is good.\n");
  expect(stream.end()).toBe("");
});

test("the start of a secret that a limit cut is hidden, and a short one is not", () => {
  expect(redactor.text(`key: ${SECRET.slice(0, -1)}`)).toBe("key: [TOKEN]");
  expect(redactor.text(`key: ${SECRET.slice(0, 10)}`)).toBe("key: [TOKEN]");
  expect(redactor.text("it is skc")).toBe("it is skc");
});

test("of the secrets of other runs, only whole ones are hidden, so that nobody can guess them letter by letter", () => {
  const both = new Redactor([
    ["TOKEN", SECRET],
    ["TOKEN", "another-token-1"],
  ]);
  const other = both.forRun({ TOKEN: "another-token-1" });
  for (let length = 1; length <= 20; length++)
    expect(other.text(SECRET.slice(0, length))).toBe(SECRET.slice(0, length));
  expect(other.text(`${SECRET} another-token`)).toBe("[TOKEN] [TOKEN]");
  expect(both.forRun({}).text("another-token")).toBe("another-token");
});

test("other text is unchanged", () => {
  for (const text of ["", "sk-Canary\n", "sk-Canary ".repeat(50), "sk-Canary 7f3a 8", "{}", "grün 🍵"])
    expect(redactor.text(text)).toBe(text);
});

test("a long gap ends a match, so that little is held back", () => {
  const stream = redactor.stream();
  expect(stream.push(`sk-${" ".repeat(40)}`)).toBe(`sk-${" ".repeat(40)}`);
});

test("several secrets keep their names, also if they overlap", () => {
  const two = new Redactor([
    ["A", "alpha-alpha-1"],
    ["B", "alpha-1-beta-2"],
  ]);
  expect(two.text("x alpha-alpha-1 y alpha-1-beta-2 z")).toBe("x [A] y [B] z");
  expect(two.text("x alpha-alpha-1-beta-2 z")).toBe("x [A] z");
});

test("a short value must match exactly, and one below six characters is a setting", () => {
  const short = new Redactor([
    ["PIN", "12-34."],
    ["LANGUAGE_CODE", "en"],
  ]);
  expect(short.text("pin 12-34. and 1234 in en")).toBe("pin [PIN] and 1234 in en");
});

test("the lines of a value and the texts in JSON are hidden alone", () => {
  const key = "-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQ\nzzEFAASCBKcwggSjAgEAAoIBAQ\n-----END KEY-----\n";
  const json = new Redactor([["KEY", JSON.stringify({ type: "account", private_key: key })]]);
  expect(json.text("line zzEFAASCBKcwggSjAgEAAoIBAQ of account")).toBe("line [KEY] of account");
  expect(json.text(key)).not.toMatch(/MIIEvQ|zzEFAA/);
});

test("texts, keys and numbers in values are redacted", () => {
  const numbers = new Redactor([["PIN", "1234567890"]]);
  expect(numbers.value({ a: [1234567890, 12, true, null], 1234567890: { b: "is 1234567890" } })).toEqual({
    a: ["[PIN]", 12, true, null],
    "[PIN]": { b: "is [PIN]" },
  });
});
