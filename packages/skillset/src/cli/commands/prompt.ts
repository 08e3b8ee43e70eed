import type { Catalog, CatalogBudget } from "../../core/catalog/catalog.ts";
import { catalogLosses } from "../command/catalog-losses.ts";
import { defineCommand } from "../command/command.ts";
import { FILTER_OPTIONS, loadSkills, SCAN_OPTIONS, toFilter } from "../command/load.ts";
import { oneOf, wholeNumber } from "../command/parse-command-line.ts";
import { UsageError } from "../command/usage-error.ts";
import type { Io } from "../terminal/io.ts";
import { counted } from "../terminal/printable.ts";
import { writeLine } from "../terminal/write.ts";

export const prompt = defineCommand({
  usage: "[PATH…] [options]",
  about:
    "Prints the catalog of skills exactly as a model would see it: names and descriptions, never instructions.\n" +
    "What a budget shortened or left out is told on stderr. Without a path it looks where agents keep skills.",
  options: {
    format: { type: "string", value: "FORMAT", about: "xml (usual), json, markdown or names" },
    budget: { type: "string", value: "N", about: "at most so many tokens, by estimate" },
    characters: { type: "boolean", about: "the budget counts characters instead of tokens" },
    location: {
      type: "string",
      value: "WHERE",
      about: "where skills are said to be: none (usual), relative, path or uri",
    },
    flat: { type: "boolean", about: "do not indent the XML" },
    ...SCAN_OPTIONS,
    ...FILTER_OPTIONS,
  },
  examples: [
    ["skillset prompt ./skills", "the catalog of one folder"],
    ["skillset prompt --format json --location path", "what an agent in this folder is told, with paths"],
    ["skillset prompt ./skills --budget 2000 > catalog.xml", "no more than 2,000 tokens"],
  ],
  async run({ values, positionals }, io) {
    const format = oneOf("format", values.format, ["xml", "json", "markdown", "names"]);
    const location = oneOf("location", values.location, ["none", "relative", "path", "uri"]);
    const budget = toBudget(wholeNumber("budget", values.budget), values.characters ?? false);
    const skillset = await loadSkills(positionals, { recursive: values.recursive ?? false, ...toFilter(values) }, io);
    const catalog = skillset.catalog({
      indent: !values.flat,
      format,
      location,
      budget,
    });
    if (catalog.text !== "") await writeLine(io.stdout, catalog.text);
    await reportLosses(catalog, io);
    return 0;
  },
});

function toBudget(limit: number | undefined, characters: boolean): CatalogBudget | undefined {
  if (limit === undefined && characters) throw new UsageError("'--characters' needs '--budget N'.");
  if (limit === undefined) return undefined;
  return characters ? { characters: limit } : { tokens: limit };
}

async function reportLosses(catalog: Catalog, { stderr }: Io): Promise<void> {
  const { text, tokens, characters } = catalog;
  const losses = catalogLosses(catalog);
  if (text === "") await writeLine(stderr, "There is no skill to show a model: 'skillset list' says what was found.");
  if (losses === "") return;
  const size = `${counted(tokens, "token")} and ${counted(characters, "character")}`;
  await writeLine(stderr, `To fit the budget: ${losses}. The catalog has ${size}.`);
}
