import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { namesIn, readCatalog } from "../../../../../test/read-catalog.ts";
import { findHiddenText } from "../text/hidden-text.ts";
import { estimateTokens } from "../text/tokens.ts";
import { type CatalogSkill, renderCatalog } from "./catalog.ts";
import { CATALOG_FORMATS } from "./catalog-format.ts";

const UNLIMITED = { tokens: Number.POSITIVE_INFINITY };

test.each(CATALOG_FORMATS)("the lists of a catalog and its size match the text, as %s", (format) => {
  const name = fc.stringMatching(/^[a-z0-9]{1,12}(-[a-z0-9]{1,12}){0,3}$/);
  const description = fc
    .tuple(fc.constantFrom("Reads a file. ", "Writes & tests code; use when <b> is due. ", "数据分析。"), fc.nat(30))
    .map(([words, count]) => words.repeat(count));
  const size = fc.oneof(fc.nat(400), fc.nat(20_000));
  fc.assert(
    fc.property(
      fc.uniqueArray(name, { maxLength: 260, size: "max" }),
      fc.array(description, { minLength: 1, maxLength: 20 }),
      size,
      fc.boolean(),
      (names, descriptions, limit, inTokens) => {
        const skills = names.map((one, index) => inline(one, descriptions[index % descriptions.length] ?? ""));
        const budget = inTokens ? { tokens: limit } : { characters: limit };
        const catalog = renderCatalog(skills, { format, budget, pins: names.slice(-1), findOthers: "ask" });
        const { text, full, shortened, nameOnly, omitted } = catalog;
        const read = readCatalog(text, format);
        const whole = new Map(
          readCatalog(renderCatalog(skills, { format, budget: UNLIMITED }).text, format).entries.map((entry) => [
            entry.name,
            entry.description,
          ]),
        );
        const described = read.entries.filter((entry) => entry.description !== undefined);
        const isWhole = (entry: { name: string; description: string | undefined }) =>
          entry.description === whole.get(entry.name);
        expect(new Set(namesIn(text, format))).toEqual(new Set([...full, ...shortened, ...nameOnly]));
        expect(namesIn(text, format)).toHaveLength(catalog.shown);
        expect([...full, ...shortened, ...nameOnly, ...omitted].sort()).toEqual([...names].sort());
        if (format !== "names") {
          expect(described.filter((entry) => !isWhole(entry)).map((entry) => entry.name)).toEqual(shortened);
          const byName = namesIn(text, format).filter((one) => !described.some((entry) => entry.name === one));
          expect(nameOnly.every((one) => byName.includes(one))).toBe(true);
          expect(byName.filter((one) => !nameOnly.includes(one)).every((one) => !whole.get(one))).toBe(true);
        }
        expect(catalog.tokens).toBe(text === "" ? 0 : estimateTokens(text));
        expect(catalog.characters).toBe(text.length);
        if (names.length <= 200) expect(omitted).toEqual([]);
        const isFound = /^\d+ (more )?skills? (is|are) not listed: ask/.test(read.note ?? "");
        expect(isFound && Number.parseInt(read.note ?? "", 10)).toBe(omitted.length > 0 && omitted.length);
        if (omitted.length > 0 && omitted.length < names.length)
          expect(catalog[inTokens ? "tokens" : "characters"]).toBeLessThanOrEqual(limit);
        expect(renderCatalog(skills, { format, budget, pins: names.slice(-1), findOthers: "ask" })).toEqual(catalog);
      },
    ),
    { numRuns: Number(process.env.CASES ?? 60) / 4 },
  );
});

describe("without a budget of the caller", () => {
  test("a catalog has at most 8,000 tokens", () => {
    const { tokens, shortened } = renderCatalog(numbered(150, 900));
    expect(tokens).toBeLessThanOrEqual(8_000);
    expect(tokens).toBeGreaterThan(7_500);
    expect(shortened).not.toEqual([]);
  });

  test("a budget of Infinity is no limit", () => {
    const catalog = renderCatalog(numbered(1_000, 900), { budget: UNLIMITED });
    expect(catalog).toMatchObject({ shown: 1_000, shortened: [], nameOnly: [], omitted: [] });
    expect(catalog.full).toHaveLength(1_000);
  });
});

describe("up to 200 skills", () => {
  test.each(CATALOG_FORMATS)("every name is listed whatever the budget, as %s", (format) => {
    const skills = numbered(200, 300);
    for (const budget of [{ tokens: 0 }, { characters: 0 }, { tokens: 500 }, { tokens: 3_000 }]) {
      const { text, omitted } = renderCatalog(skills, { format, budget });
      expect(omitted).toEqual([]);
      expect([...namesIn(text, format)].sort()).toEqual(skills.map(({ name }) => name).sort());
    }
  });

  test("names alone take one group", () => {
    const skills = numbered(3, 300);
    const budget = { tokens: 0 };
    expect(renderCatalog(skills, { budget }).text).toBe(
      [
        "<available_skills>",
        "  <skills>",
        "    <names>skill-0, skill-1, skill-2</names>",
        "  </skills>",
        "  <note>3 skills are listed by name only.</note>",
        "</available_skills>",
      ].join("\n"),
    );
    expect(renderCatalog(skills, { budget, format: "json" }).text).toBe(
      '{"available_skills":[{"names":["skill-0","skill-1","skill-2"]}],"note":"3 skills are listed by name only."}',
    );
    expect(renderCatalog(skills, { budget, format: "markdown" }).text).toBe(
      "- skill-0, skill-1, skill-2\n\n3 skills are listed by name only.",
    );
    expect(renderCatalog(numbered(200, 300), { budget }).tokens).toBeLessThan(1_000);
  });

  test("every skill gets a short description before one gets a longer one", () => {
    const { nameOnly, shortened } = renderCatalog(numbered(190, 900));
    expect(nameOnly).toEqual([]);
    expect(shortened).toHaveLength(190);
  });
});

describe("skills in a group", () => {
  test("share a place, in which {name} is the name of each", () => {
    const skills = [stored("a", "/x/a"), stored("b", "/x/b"), stored("c", "/y/c"), stored("d", "/z/other")];
    const { text } = renderCatalog(skills, { location: "path", format: "json", budget: { tokens: 0 } });
    expect(JSON.parse(text).available_skills).toEqual([
      { name: "d", location: "/z/other/SKILL.md" },
      { names: ["a", "b"], location: "/x/{name}/SKILL.md" },
      { names: ["c"], location: "/y/{name}/SKILL.md" },
    ]);
  });

  test("share an origin", () => {
    const skills = [{ ...inline("acme:a", "Does."), provider: "acme" }, inline("b", "Does.")];
    expect(renderCatalog(skills, { format: "markdown", budget: { tokens: 0 } }).text).toBe(
      "- acme:a (acme)\n- b\n\n2 skills are listed by name only.",
    );
  });

  test.each(["a, forged", "a b", "a,b", "a<b", "a\u3001b", "**a**", "", "{name}"])(
    "never have the name %j, which could look like two",
    (name) => {
      const skills = [inline("plain", "Does."), inline(name, "Does.")];
      for (const format of ["xml", "markdown"] as const) {
        const { entries, names } = readCatalog(renderCatalog(skills, { format, budget: { tokens: 0 } }).text, format);
        expect(names).toEqual(["plain"]);
        expect(entries.map((entry) => entry.name)).toEqual([name]);
      }
      const { text } = renderCatalog(skills, { format: "json", budget: { tokens: 0 } });
      expect(readCatalog(text, "json").names).toEqual(["plain", name]);
    },
  );
});

describe("a budget degrades visibly", () => {
  const skills = numbered(300, 320);

  test.each(CATALOG_FORMATS)("and the %s text is within it at every size, with every skill accounted for", (format) => {
    for (const unit of ["characters", "tokens"] as const) {
      const full = renderCatalog(skills, { format, budget: UNLIMITED })[unit];
      for (let size = 150; size < full * 1.1; size = Math.ceil(size * 1.3)) {
        const budget = unit === "tokens" ? { tokens: size } : { characters: size };
        const catalog = renderCatalog(skills, { format, budget });
        expect(catalog[unit]).toBeLessThanOrEqual(size);
        // What is left is less than one step of a description.
        if (format !== "names") expect(catalog[unit]).toBeGreaterThan(Math.min(size, full) * 0.8 - 120);
        const { shown, omitted, nameOnly, shortened } = catalog;
        expect(shown + omitted.length).toBe(skills.length);
        const isComplete = omitted.length + nameOnly.length + shortened.length === 0;
        expect(isComplete).toBe(size >= full);
        expect(/ not listed| shortened| by name only/.test(catalog.text)).toBe(!isComplete);
      }
    }
  });

  test("by precedence: the first skills are described, the next are names, and the last are left out", () => {
    const { shortened, nameOnly, omitted, full } = renderCatalog(skills, { budget: { tokens: 1_000 } });
    const names = skills.map(({ name }) => name);
    expect(full).toEqual([]);
    expect([...shortened, ...nameOnly, ...omitted]).toEqual(names);
    for (const list of [shortened, nameOnly, omitted]) expect(list.length).toBeGreaterThan(10);
  });

  test("at a word, with the note as the last element", () => {
    const { text, shortened } = renderCatalog(skills, { budget: { tokens: 15_000 } });
    expect(text).toMatch(/[a-z.]…<\/description>/);
    const note = `${shortened.length} descriptions are shortened.`;
    expect(text.endsWith(`\n  <note>${note}</note>\n</available_skills>`)).toBe(true);
  });

  test("and the note counts what is left out, with how to find it", () => {
    const findOthers = "call `search_skills` to find them";
    const { text, omitted } = renderCatalog(skills, { format: "markdown", budget: { tokens: 100 }, findOthers });
    expect(text).toContain(`\n\n${omitted.length} more skills are not listed: ${findOthers}; `);
    expect(renderCatalog(skills.slice(0, 5), { findOthers }).text).not.toContain(findOthers);
  });

  test("down to the note alone, which is always there", () => {
    for (const [format, text] of [
      ["names", "300 skills are not listed."],
      ["markdown", "300 skills are not listed."],
      ["json", '{"available_skills":[],"note":"300 skills are not listed."}'],
      ["xml", "<available_skills>\n  <note>300 skills are not listed.</note>\n</available_skills>"],
    ] as const) {
      expect(renderCatalog(skills, { format, budget: { tokens: 1 } })).toMatchObject({ text, shown: 0 });
    }
  });

  test("and uses the singular for one skill", () => {
    const names = [...numbered(200, 0), inline("c".repeat(64), "")];
    const { characters } = renderCatalog(names.slice(0, 200), { format: "names" });
    const budget = { characters: characters + 50 };
    expect(renderCatalog(names, { format: "names", budget }).text).toMatch(
      /skill-199\n\n1 more skill is not listed\.$/,
    );
  });

  test("never cuts through an emoji, a surrogate pair or a joiner", () => {
    const emoji = [inline("family", "👨‍👩‍👧‍👦".repeat(30)), inline("flags", "🏴󠁧󠁢󠁥󠁮󠁧󠁿".repeat(30))];
    for (let characters = 150; characters < 700; characters++) {
      const { text } = renderCatalog(emoji, { budget: { characters } });
      expect(text.length).toBeLessThanOrEqual(characters);
      expect(findHiddenText(text)).toBeUndefined();
    }
  });

  test.each([-1, Number.NaN])("but %d is not a valid budget", (tokens) => {
    expect(() => renderCatalog(skills, { budget: { tokens } })).toThrow(
      expect.objectContaining({ code: "option-invalid" }),
    );
  });
});

describe("pinned skills, then those that the conversation has used", () => {
  test("keep their whole description, in their place", () => {
    const skills = numbered(2_000, 500);
    const options = { pins: ["skill-1999", "skill-7"], used: ["skill-1000"], budget: { tokens: 2_000 } };
    const { full, text } = renderCatalog(skills, options);
    expect(full).toEqual(["skill-7", "skill-1000", "skill-1999"]);
    expect(text.indexOf(">skill-7<")).toBeLessThan(text.indexOf(">skill-1999<"));
  });

  test("are shortened only if nothing else helps", () => {
    const skills = numbered(2_000, 500);
    const { full, shortened } = renderCatalog(skills, { pins: ["skill-1", "skill-3"], budget: { tokens: 250 } });
    expect([full, shortened]).toEqual([["skill-1"], ["skill-3"]]);
  });
});

test("the tokenizer counts little more than the catalog itself, however many skills there are", () => {
  const many = numbered(20_000, 400);
  let counted = 0;
  const countTokens = (text: string) => {
    counted += text.length;
    return estimateTokens(text);
  };
  const { tokens, characters } = renderCatalog(many, { countTokens });
  expect(tokens).toBeLessThanOrEqual(8_000);
  expect(counted).toBeLessThan(characters * 12);
});

test("a text is within the budget even if a tokenizer counts more for the whole than for its parts", () => {
  const countTokens = (text: string) => Math.ceil(text.length / 4 + (text.length / 1_000) ** 2);
  const { tokens } = renderCatalog(numbered(500, 200), { countTokens, budget: { tokens: 3_000 } });
  expect(tokens).toBeLessThanOrEqual(3_000);
  expect(tokens).toBeGreaterThan(2_000);
});

test("a tokenizer that returns NaN gets the names alone", () => {
  const { omitted, nameOnly } = renderCatalog(numbered(20, 200), { countTokens: () => Number.NaN });
  expect([omitted.length, nameOnly.length]).toEqual([0, 20]);
});

function numbered(count: number, length: number): CatalogSkill[] {
  return Array.from({ length: count }, (_, index) =>
    inline(
      `skill-${index}`,
      "Explains at length how one thing is done, and when to use it. ".repeat(20).slice(0, length),
    ),
  );
}

function inline(name: string, description: string): CatalogSkill {
  return { name, description, modelInvocable: true, origin: { kind: "inline" } };
}

function stored(name: string, basePath: string): CatalogSkill {
  return { ...inline(name, "Does."), basePath };
}
