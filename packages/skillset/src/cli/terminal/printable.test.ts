import { expect, test } from "vitest";
import { printableJson } from "./printable.ts";

const UNSAFE = /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]/u;

test("every character that could control or deceive a terminal is escaped in JSON, and no other", () => {
  for (let code = 0; code <= 0xffff; code++) {
    const character = String.fromCharCode(code);
    const json = printableJson(character);
    if (JSON.parse(json) !== character || UNSAFE.test(json)) expect.fail(`U+${code.toString(16)} is not escaped`);
    if (!UNSAFE.test(character) && json !== JSON.stringify(character)) expect.fail(`U+${code.toString(16)} is escaped`);
  }
});

test("characters outside the first plane are escaped as two units", () => {
  expect(printableJson("a\u{E0041}🍵")).toBe('"a\\udb40\\udc41🍵"');
});
