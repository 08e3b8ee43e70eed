import { expect, test } from "vitest";
import { type CatalogSkill, renderCatalog } from "../../packages/skillset/src/core/catalog/catalog.ts";
import { CATALOG_FORMATS } from "../../packages/skillset/src/core/catalog/catalog-format.ts";
import { escapeXml } from "../../packages/skillset/src/core/text/escape.ts";
import { findHiddenText, stripHiddenText } from "../../packages/skillset/src/core/text/hidden-text.ts";
import { BENIGN_TEXTS } from "./benign-texts.ts";
import { report } from "./report.ts";

const TAGS = Array.from({ length: 128 }, (_, index) => 0xe0000 + index);
const BIDI = [0x061c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069];
const ZERO_WIDTH = [0x200b, 0x200c, 0x200d, 0x2060, 0xfeff, 0x180e];
const HIDDEN = [...TAGS, ...BIDI, ...ZERO_WIDTH].map((codePoint) => String.fromCodePoint(codePoint));

/** Each hidden character at the edges, inside and in runs; the marker shows its position. */
const PLACES = [
  "•pdf-tools",
  "pdf-tools•",
  "pdf•tools",
  "pdf••••tools",
  "•p•d•f•",
  "Reads files.• Use •it.",
  "👩•x",
  "🏴•",
];

test("S8: every hidden character is found, and models see none", () => {
  const texts = HIDDEN.flatMap((hidden) => PLACES.map((place) => ({ hidden, text: place.replaceAll("•", hidden) })));
  const through = texts.filter(
    ({ hidden, text }) =>
      findHiddenText(text) === undefined || catalogsOf(text).some((catalog) => catalog.includes(hidden)),
  );
  const passed = texts.filter(({ hidden, text }) => escapeXml(text).includes(hidden));
  report("S8", {
    tried: "hidden characters in names, descriptions and paths",
    cases: texts.length,
    through: through.length,
    control: `escaping alone passes ${passed.length.toLocaleString("en")}`,
    note: `${HIDDEN.length} hidden characters in ${PLACES.length} places`,
  });
  expect(HIDDEN).toHaveLength(128 + 12 + 6);
  expect(through).toEqual([]);
  expect(passed).toHaveLength(texts.length);
});

test("S8: ordinary multilingual and emoji text passes unchanged", () => {
  const flagged = BENIGN_TEXTS.filter((text) => findHiddenText(text) !== undefined || stripHiddenText(text) !== text);
  // Naive filter: no format characters at all.
  const broken = BENIGN_TEXTS.filter((text) => text.replace(/[\p{Cf}\p{Variation_Selector}]/gu, "") !== text);
  report("S8", {
    tried: "benign texts that must not be flagged",
    cases: BENIGN_TEXTS.length,
    through: flagged.length,
    control: `removing every format character changes ${broken.length}`,
  });
  expect(BENIGN_TEXTS.length).toBeGreaterThanOrEqual(300);
  expect(flagged).toEqual([]);
  expect(broken.length).toBeGreaterThan(0);
});

/** Returns the text as a name, a description and a path, in every format. */
function catalogsOf(text: string): string[] {
  const origin = {
    kind: "folder",
    folder: `/skills/${text}`,
    root: "/skills",
    scope: "given",
    stamp: { ino: 1, size: 1, mtimeMs: 1, ctimeMs: 1 },
  } as const;
  const skills: CatalogSkill[] = [{ name: text, description: text, modelInvocable: true, origin }];
  return CATALOG_FORMATS.flatMap((format) =>
    (["relative", "path", "uri"] as const).map((location) => renderCatalog(skills, { format, location }).text),
  );
}
