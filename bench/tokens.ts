// Accuracy of the token estimate: `npx node bench/tokens.ts [--skills FILE] [--out FILE.md]`, where each line of FILE
// (.jsonl or .jsonl.gz) is `{ "dir": …, "text": … }`: a folder's name and the text of its SKILL.md.
import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { countTokens as countCl100k } from "gpt-tokenizer/encoding/cl100k_base";
import { countTokens as countO200k } from "gpt-tokenizer/encoding/o200k_base";
import { type CatalogSkill, renderCatalog } from "../packages/skillset/src/core/catalog/catalog.ts";
import { CATALOG_FORMATS } from "../packages/skillset/src/core/catalog/catalog-format.ts";
import { readSkillMd } from "../packages/skillset/src/core/manifest/parse.ts";
import { resolvePolicy } from "../packages/skillset/src/core/manifest/policy.ts";
import { estimateTokens, type TokenCounter } from "../packages/skillset/src/core/text/tokens.ts";
import { generateCorpus } from "./generate-corpus.ts";
import { writeSection } from "./write-section.ts";

interface SkillText {
  readonly dir: string;
  readonly text: string;
}

interface Tokenizer {
  readonly name: string;
  readonly count: TokenCounter;
}

const generatedCount = 2_000;
const catalogSize = 50;
const codeBlocks = /^ *(```+|~~~+)[^\n]*\n.*?^ *\1[^\n]*$/gms;
// Text that looks like a special token is counted as text.
const plain = { disallowedSpecial: new Set<string>() };
const tokenizers: readonly Tokenizer[] = [
  { name: "o200k", count: (text) => countO200k(text, plain) },
  { name: "cl100k", count: (text) => countCl100k(text, plain) },
];

const { values } = parseArgs({ options: { skills: { type: "string" }, out: { type: "string" } } });
const corpora = new Map([["generated", readGenerated()]]);
if (values.skills !== undefined) corpora.set("public", readLines(values.skills));
const report = writeReport(corpora);
console.log(report);
if (values.out !== undefined) writeSection(values.out, "tokens", report);

function readGenerated(): SkillText[] {
  const folder = join(tmpdir(), "skillset-bench", String(generatedCount));
  const skills = generateCorpus(folder, { count: generatedCount });
  return readdirSync(skills).map((dir) => ({ dir, text: readFileSync(join(skills, dir, "SKILL.md"), "utf8") }));
}

function readLines(file: string): SkillText[] {
  const bytes = readFileSync(file);
  const lines = (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line));
}

function writeReport(corpora: ReadonlyMap<string, readonly SkillText[]>): string {
  const sizes = Array.from(corpora, ([name, { length }]) => `${length.toLocaleString("en")} ${name} skills`);
  const rows = [...corpora].flatMap(([corpus, skills]) =>
    [...sortByKind(skills)].flatMap(([kind, texts]) =>
      tokenizers.map((tokenizer) => `| ${corpus} | ${kind} | ${tokenizer.name} | ${measure(texts, tokenizer.count)} |`),
    ),
  );
  return [
    `${sizes.join(" and ")}. A ratio is the estimate divided by the tokenizer's count.`,
    "",
    "| skills | texts | tokenizer | number | tokens | median ratio | 5 % to 95 % | within 10 % | within 20 % | worst | total |",
    "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ...rows,
  ].join("\n");
}

function sortByKind(skills: readonly SkillText[]): Map<string, string[]> {
  const kinds = new Map<string, string[]>([["whole SKILL.md", skills.map(({ text }) => text)]]);
  const add = (kind: string, text: string): void => {
    if (text.trim() === "") return;
    const texts = kinds.get(kind) ?? [];
    texts.push(text);
    kinds.set(kind, texts);
  };
  const latin = skills.filter(({ text }) => scriptOf(text) === "Latin");
  for (const { text } of latin) add("prose", text.replace(codeBlocks, "\n"));
  for (const { text } of latin) add("code blocks", [...text.matchAll(codeBlocks)].map(([block]) => block).join("\n"));
  for (const { text } of skills) {
    const script = scriptOf(text);
    if (script !== "Latin") add(`whole, ${script}`, text);
  }
  const listed = skills.flatMap(toCatalogSkill);
  for (const { description } of listed) add("descriptions", description);
  for (const format of CATALOG_FORMATS) {
    for (let start = 0; start + catalogSize <= listed.length; start += catalogSize)
      add(
        `catalogs of ${catalogSize}, ${format}`,
        renderCatalog(listed.slice(start, start + catalogSize), {
          format,
          budget: { tokens: Number.POSITIVE_INFINITY },
        }).text,
      );
  }
  return kinds;
}

/** A tenth of the letters decides the script: most skills in other languages contain English words and code. */
function scriptOf(text: string): "Latin" | "Chinese, Japanese or Korean" | "other scripts" {
  const count = (letters: RegExp): number => text.match(letters)?.length ?? 0;
  const all = count(/\p{L}/gu);
  const eastAsian = count(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu);
  if (eastAsian > all / 10) return "Chinese, Japanese or Korean";
  return all - eastAsian - count(/\p{Script=Latin}/gu) > all / 10 ? "other scripts" : "Latin";
}

function toCatalogSkill({ dir, text }: SkillText): CatalogSkill[] {
  const { manifest } = readSkillMd(text, { policy: resolvePolicy(), folder: dir });
  if (manifest === undefined) return [];
  const { name, description } = manifest;
  return [{ name, description, origin: { kind: "inline" }, modelInvocable: true }];
}

/** Returns the cells of one row. */
function measure(texts: readonly string[], count: TokenCounter): string {
  const counted = texts.map((text) => ({ real: count(text), estimate: estimateTokens(text) }));
  const ratios = counted.map(({ real, estimate }) => estimate / real).toSorted((left, right) => left - right);
  const at = (share: number): number => ratios[Math.round(share * (ratios.length - 1))] ?? Number.NaN;
  const within = (share: number): string => {
    const close = ratios.filter((ratio) => Math.abs(ratio - 1) <= share).length;
    // Rounded down, so that 100 % means all.
    return `${(Math.floor((1_000 * close) / ratios.length) / 10).toFixed(1)} %`;
  };
  const worst = at(1) > 1 / at(0) ? at(1) : at(0);
  const real = counted.reduce((sum, one) => sum + one.real, 0);
  const estimate = counted.reduce((sum, one) => sum + one.estimate, 0);
  return [
    texts.length.toLocaleString("en"),
    real.toLocaleString("en"),
    at(0.5).toFixed(2),
    `${at(0.05).toFixed(2)} to ${at(0.95).toFixed(2)}`,
    within(0.1),
    within(0.2),
    worst.toFixed(2),
    (estimate / real).toFixed(3),
  ].join(" | ");
}
