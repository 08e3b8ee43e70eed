import { DEFAULTS } from "../../core/base/limits.ts";
import type { Catalog, CatalogBudget } from "../../core/catalog/catalog.ts";
import { CATALOG_FORMATS } from "../../core/catalog/catalog-format.ts";
import { CATALOG_LOCATIONS } from "../../core/catalog/catalog-location.ts";
import { catalogLosses } from "../command-line/catalog-losses.ts";
import { defineCommand } from "../command-line/command.ts";
import { FILTER_OPTIONS, LOAD_OPTIONS, loadSkills, PATHS, toFilter } from "../command-line/load.ts";
import { oneOf, wholeNumber } from "../command-line/parse-command-line.ts";
import { whyNone } from "../command-line/skills-elsewhere.ts";
import { UsageError } from "../command-line/usage-error.ts";
import type { Io } from "../terminal/io.ts";
import { counted } from "../terminal/printable.ts";
import { write, writeLine } from "../terminal/write.ts";

export const prompt = defineCommand({
  about:
    "Prints the catalog of skills that a model sees: names and descriptions, without instructions.\n" +
    "stderr lists the descriptions that were shortened and the skills that were left out to fit the budget.",
  arguments: [PATHS],
  options: {
    format: { type: "string", value: "FORMAT", choices: CATALOG_FORMATS, default: "xml", about: "the output format" },
    budget: {
      type: "string",
      value: "N",
      default: String(DEFAULTS.catalogTokens),
      about: "limit the catalog to about N tokens, or 'none'",
    },
    pin: {
      type: "string",
      value: "NAME",
      multiple: true,
      about: "keep the description of this skill where the budget is short",
    },
    characters: { type: "boolean", about: "count the budget in characters instead of tokens" },
    location: {
      type: "string",
      value: "WHERE",
      choices: CATALOG_LOCATIONS,
      default: "none",
      about: "how the catalog shows where a skill is",
    },
    flat: { type: "boolean", about: "do not indent the XML" },
    ...LOAD_OPTIONS,
    ...FILTER_OPTIONS,
  },
  examples: [
    ["skillset prompt ./skills", "the catalog of one folder"],
    ["skillset prompt --format json --location path", "the catalog of this folder's agents, with paths"],
    ["skillset prompt ./skills --budget 2000 > catalog.xml", "at most 2,000 tokens"],
  ],
  exitCodes: { 0: "success, even if the catalog is empty", 1: "a path does not exist" },
  async run({ values, positionals }, io) {
    const format = oneOf("format", values.format, CATALOG_FORMATS);
    const location = oneOf("location", values.location, CATALOG_LOCATIONS);
    const budget = toBudget(readBudget(values.budget), values.characters ?? false);
    const { recursive = false, bundled, profile } = values;
    const skillset = await loadSkills(positionals, { recursive, bundled, profile, ...toFilter(values) }, io);
    const catalog = skillset.catalog({
      indent: !values.flat,
      format,
      location,
      budget,
      pins: values.pin,
    });
    if (catalog.text !== "") await writeLine(io.stdout, catalog.text);
    if (catalog.text === "") await write(io.stderr, [NO_SKILL, whyNone(skillset, positionals, io)]);
    await reportLosses(catalog, io);
    return 0;
  },
});

const NO_SKILL = "No skill is available to a model. 'skillset list' shows what was found, and where.\n";

function readBudget(text: string | undefined): number | undefined {
  return text === "none" ? Number.POSITIVE_INFINITY : wholeNumber("budget", text);
}

function toBudget(limit: number | undefined, characters: boolean): CatalogBudget | undefined {
  if (limit === undefined && characters) throw new UsageError("'--characters' needs '--budget N'.");
  if (limit === undefined) return undefined;
  return characters ? { characters: limit } : { tokens: limit };
}

async function reportLosses(catalog: Catalog, { stderr }: Io): Promise<void> {
  const { tokens, characters } = catalog;
  const losses = catalogLosses(catalog);
  if (losses === "") return;
  const size = `${counted(tokens, "token")} and ${counted(characters, "character")}`;
  await writeLine(stderr, `To fit the budget: ${losses}. The catalog has ${size}.`);
}
