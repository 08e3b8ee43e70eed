import { SkillError } from "../core/base/errors.ts";
import { LOAD_OPTIONS, type LoadOptions, openEmbedder } from "../core/load/load-options.ts";
import { isList, type SkillInput } from "../core/load/skill-input.ts";
import { SourceLoader } from "../core/load/source-loader.ts";
import type { Skillset } from "../core/skillset.ts";
import { checkOptions } from "../core/text/check-options.ts";
import { WebPlatform } from "./web-platform.ts";

/** Loads skills from code and from other sources. Throws for options and sources that need Node. */
export async function loadOnWeb(
  sources: SkillInput | readonly SkillInput[],
  options: LoadOptions = {},
): Promise<Skillset> {
  checkOptions("createSkillset()", options, { ...IGNORED, ...NODE_ONLY, ...LOAD_OPTIONS });
  for (const [name, isOff] of Object.entries(NODE_ONLY)) {
    if (!isOff((options as Readonly<Record<string, unknown>>)[name]))
      throw new SkillError("option-invalid", `The option '${name}' needs Node, and this program runs without it.`);
  }
  const embedding = await openEmbedder(options);
  const platform = new WebPlatform(options.env);
  return new SourceLoader(isList(sources) ? sources : [sources], options, { platform, embedding }).load(options);
}

/** Options about folders, which have no effect on other sources. */
const IGNORED = { cwd: true, recursive: true, ignore: true, trustStore: true };

/** Options that would be expected to have an effect, and the values that ask for none. */
const NODE_ONLY: Readonly<Record<string, (value: unknown) => boolean>> = {
  profile: (value) => value === undefined || value === false,
  scripts: (value) => value === undefined,
  toolsets: (value) => value === undefined || value === "off",
};
