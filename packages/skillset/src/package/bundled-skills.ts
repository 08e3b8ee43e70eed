import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The path of the bundled skills where their folder is missing: the loader reads the copy that is part of the code. */
export const INLINED_SKILLS = "skillset:bundled-skills";

/** The folder of the skills that come with the library; in a program made by a bundler, a name for their copy. */
export const BUNDLED_SKILLS: string = findFolder() ?? INLINED_SKILLS;

/** In a bundle, the folder at this place belongs to somebody else, so the name in `package.json` decides. */
function findFolder(): string | undefined {
  try {
    // Bundlers take `new URL("…", import.meta.url)` for an asset, and fail on a folder.
    const folder = join(dirname(fileURLToPath(import.meta.url)), "../..");
    const { name } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { readonly name?: unknown };
    return name === "skillset" ? join(folder, "skills") : undefined;
  } catch {
    return undefined;
  }
}
