import { expect, test } from "vitest";
import { estimateTokens } from "./tokens.ts";

test("an empty text has no tokens", () => {
  expect(estimateTokens("")).toBe(0);
});

// The counts are those of the o200k encoding.
test.each([
  [
    "an English description",
    "Extracts text and tables from PDF files, fills in forms and merges documents. Use it when the user mentions PDFs, forms or document extraction.",
    29,
  ],
  [
    "a German one",
    "Extrahiert Text und Tabellen aus PDF-Dateien, füllt Formulare aus und führt Dokumente zusammen. Für Größenänderungen und Übersichten geeignet.",
    31,
  ],
  [
    "a Chinese one",
    "从 PDF 文件中提取文本和表格,填写表单并合并文档。当用户提到 PDF 或表单时使用。这个技能帮助你生成报告、整理数据并解释结果。",
    43,
  ],
  [
    "a Korean one",
    "PDF 파일에서 텍스트와 표를 추출하고 양식을 작성하며 문서를 병합합니다. 사용자가 PDF나 양식을 언급할 때 사용하세요.",
    35,
  ],
])("%s is estimated within an eighth", (_, text, tokens) => {
  expect(Math.abs(estimateTokens(text) - tokens)).toBeLessThanOrEqual(tokens / 8);
});

test("more text never has fewer tokens", () => {
  const text = "Reads 12,345 lines — and «quotes» 漢字 한글 👩‍💻\n  too. aaaaaaaaaaaaaaaaaaaaaaaaaaaa";
  const estimates = Array.from(text, (_, index) => estimateTokens(text.slice(0, index)));
  expect(estimates).toEqual(estimates.toSorted((left, right) => left - right));
});
