import { describe, expect, test } from "vitest";
import { formsPairs, splitWords } from "./words.ts";

describe("words", () => {
  test.each([
    ["Chinese", "发送简讯", ["发送", "送简", "简讯"]],
    ["Thai", "ภาษาไทย", ["ภา", "าษ", "ษา", "าไ", "ไท", "ทย"]],
    ["Lao", "ອາກາດ", ["ອາ", "າກ", "ກາ", "າດ"]],
    ["Khmer", "អាកាស", ["អាកា", "កាស"]],
    ["Burmese", "မိုးလေ", ["မိုးလေ"]],
  ])("of %s, which has no spaces, are pairs of letters with their signs", (_, text, expected) => {
    expect(splitWords(text)).toEqual(expected);
  });

  test("next to a language without spaces stay whole", () => {
    expect(splitWords("ส่งAPIด้วยPython")).toEqual(expect.arrayContaining(["api", "python"]));
  });

  test.each([
    ["rédige un message de commit", ["rédige", "message", "commit"]],
    ["Prüfe die Signatur der Webhooks", ["prüfe", "die", "signatur", "webhooks"]],
    ["crea un diagrama con el equipo", ["crea", "diagrama", "equipo"]],
  ])("leave out articles and prepositions: %s", (text, expected) => {
    expect(splitWords(text)).toEqual(expected);
  });

  test.each(["form", "café", "ứng", "форма", "فرم"])("form pairs with their neighbours: %s", (word) => {
    expect(formsPairs(word)).toBe(true);
  });

  test.each(["发送", "フォ", "양식", "ภา"])("that are pairs of letters form no pairs: %s", (word) => {
    expect(formsPairs(word)).toBe(false);
  });

  test.each(["MIT", "PARA", "die", "per", "OS", "com"])("keep %s, which means something in English", (word) => {
    expect(splitWords(word)).toEqual([word.toLowerCase()]);
  });
});
