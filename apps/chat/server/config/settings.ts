import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse, TomlError } from "smol-toml";
import { PACKAGE_FOLDER } from "./package-folder.ts";
import { StartError } from "./start-error.ts";

/** The text of a settings file. */
export interface Settings {
  readonly file: string;
  readonly text: string;
}

export function readSettings(file: string): Settings {
  try {
    return { file, text: readFileSync(file, "utf8") };
  } catch (error) {
    throw new StartError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? "unknown reason"}).`);
  }
}

/** The settings of a chat without a settings file: config.toml, without the folders of this repository. */
export function defaultSettings(): Settings {
  const { file, text } = readSettings(fileURLToPath(new URL("config.toml", PACKAGE_FOLDER)));
  return { file, text: text.replace(/^directories = .*# of this repository\n/m, "") };
}

/** Whether `config.toml` in a folder looks like settings of the chat: other programs use that name too. */
export function hasSettings(folder: string): boolean {
  const file = join(folder, "config.toml");
  try {
    const entry = statSync(file);
    if (!entry.isFile() || entry.size > LARGEST) return false;
    return Object.keys(parseToml(readSettings(file))).some((name) => TABLES.has(name));
  } catch {
    // The file is missing, unreadable or not TOML.
    return false;
  }
}

const LARGEST = 1_000_000;
const TABLES: ReadonlySet<string> = new Set(["server", "limits", "database", "models", "admin", "app"]);

export function parseToml({ file, text }: Settings): Record<string, unknown> {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [what = ""] = error.message.replace(/^Invalid TOML document: /, "").split("\n");
    throw new StartError(`${file}:${error.line}:${error.column}: invalid TOML: ${what}.`);
  }
}
