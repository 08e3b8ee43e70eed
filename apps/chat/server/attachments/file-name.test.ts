import { expect, test } from "vitest";
import { freeName, safeFileName } from "./file-name.ts";

test.each([
  ["sales.csv", "sales.csv"],
  ["Umsätze 2026.csv", "Umsätze 2026.csv"],
  ["../../etc/passwd", "passwd"],
  ["C:\\Users\\me\\report.pdf", "report.pdf"],
  ["a\u0000b\u001b[31m.txt", "ab[31m.txt"],
  ["photo\u202egnp.exe", "photognp.exe"],
  ["line\r\nbreak.md", "linebreak.md"],
  [".env", "env"],
  ["..", "file"],
  ["", "file"],
  ["   ", "file"],
  ["-rf.txt", "rf.txt"],
  ["$OUTPUT_DIR.csv", "_OUTPUT_DIR.csv"],
  ['"><attachment name="x.csv', "___attachment name=_x.csv"],
  ["`id`.sh", "_id_.sh"],
  ["CON.txt", "_CON.txt"],
  ["nul", "_nul"],
  ["data.csv. .", "data.csv"],
  ["\ud800.csv", "csv"],
])("%j is stored as %j", (given, expected) => {
  expect(safeFileName(given)).toBe(expected);
});

test("a long name keeps its extension, and has at most 120 bytes without half characters", () => {
  const name = safeFileName(`${"ä".repeat(300)}.csv`);
  expect(name).toMatch(/^ä+\.csv$/);
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(120);
  expect(Buffer.byteLength(name)).toBeGreaterThan(110);
  expect(safeFileName(`${"😀".repeat(100)}.png`)).toMatch(/^(?:😀)+\.png$/u);
});

test("a name that is taken gets a number before its extension", () => {
  const taken = new Set(["sales.csv", "sales-2.csv"]);
  expect(freeName("sales.csv", (name) => taken.has(name))).toBe("sales-3.csv");
  expect(freeName("new.csv", (name) => taken.has(name))).toBe("new.csv");
});
