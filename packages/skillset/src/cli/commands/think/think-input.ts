import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { addAbortSignal, type Readable } from "node:stream";
import { SkillError } from "../../../core/base/errors.ts";
import type { JsonSchema } from "../../../core/tool/standard-schema.ts";
import { UsageError } from "../../command-line/usage-error.ts";
import type { Io } from "../../terminal/io.ts";

/** The prompt, and whether stdin was read for it. */
export interface Prompt {
  readonly text: string;
  readonly isFromStdin: boolean;
}

/** The words of the command line. If there are none, stdin; if the last one is `-`, both. */
export async function readPrompt(words: readonly string[], io: Io): Promise<Prompt> {
  const isFromStdin = words.at(-1) === "-" || (words.length === 0 && io.stdin.isTTY !== true);
  const said = (isFromStdin ? words.slice(0, -1) : words).join(" ");
  const text = isFromStdin ? [said, await readAll(io)].filter((part) => part !== "").join("\n\n") : said;
  if (text.trim() === "")
    throw new UsageError(`'skillset think' needs a prompt, as in 'skillset think --agent claude "Say hello"'.`);
  return { text, isFromStdin };
}

/** The JSON Schema in a file. */
export function readSchema(file: string, { cwd }: Io): JsonSchema {
  const schema = parse(file, readText(file, cwd));
  if (typeof schema === "object" && schema !== null && !Array.isArray(schema)) return schema as JsonSchema;
  const what = Array.isArray(schema) ? "a list" : schema === null ? "null" : `a ${typeof schema}`;
  throw new SkillError("option-invalid", `The schema '${file}' must be a JSON object; it is ${what}.`);
}

/** The agent's working directory. */
export function workingFolder(folder: string | undefined, { cwd }: Io): string {
  if (folder === undefined) return cwd;
  const path = resolve(cwd, folder);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path;
  throw new SkillError("source-not-found", `The agent cannot work in '${folder}': the folder does not exist.`);
}

async function readAll({ stdin, signal }: Io): Promise<string> {
  const chunks: Buffer[] = [];
  // Ctrl-C destroys the stream: an open input keeps the process alive.
  for await (const chunk of addAbortSignal(signal, stdin as Readable)) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}

function readText(file: string, cwd: string): string {
  try {
    return readFileSync(resolve(cwd, file), "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === "ENOENT" ? "does not exist" : `cannot be read (${code})`;
    throw new SkillError("source-unreadable", `The schema '${file}' ${why}.`, { cause: error });
  }
}

function parse(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const why = (error as Error).message.replace(/\.$/, "");
    throw new SkillError("option-invalid", `The schema '${file}' is not JSON: ${why}.`, { cause: error });
  }
}
