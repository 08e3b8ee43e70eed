import { readFile, stat } from "node:fs/promises";
import { extname, resolve } from "node:path";
import { SkillError } from "../../../core/base/errors.ts";
import { LIMITS } from "../../../core/base/limits.ts";
import { decodeText } from "../../../core/text/cut-text.ts";
import type { PromptPart } from "../../options/think-plan.ts";

/** Reads the files of a prompt. Returns what writes its text, with the text of a prompt of sections in its place. */
export async function readParts(
  parts: readonly PromptPart[],
  cwd: string,
  signal: AbortSignal,
): Promise<(prompt: string) => string> {
  signal.throwIfAborted();
  const texts = await Promise.all(
    parts.map(async (part) => {
      if ("prompt" in part) return { text: undefined, isBlock: true };
      if ("text" in part) return { text: part.text, isBlock: false };
      return { text: "block" in part ? part.block : await readFilePart(part.file, cwd, signal), isBlock: true };
    }),
  );
  return (prompt) =>
    texts.reduce((all, { text = `${prompt}\n`, isBlock }) => {
      return isBlock && /[^\n]$/.test(all) ? `${all}\n${text}` : all + text;
    }, "");
}

async function readFilePart(path: string, cwd: string, signal: AbortSignal): Promise<string> {
  const place = resolve(cwd, path);
  try {
    const { size } = await stat(place);
    if (size > LIMITS.hard.file)
      throw new SkillError(
        "resource-too-large",
        `The file ${place} has ${size} bytes; at most ${LIMITS.hard.file} are allowed.`,
      );
    const text = decodeText(await readFile(place, { signal }), path);
    // A file name is untrusted text too, and may contain line breaks.
    return `${/[\p{Cc}\p{Zl}\p{Zp}]/u.test(path) ? JSON.stringify(path) : path}\n${fence(text, extname(path).slice(1))}`;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof SkillError) throw error;
    throw new SkillError("resource-not-found", `The file ${place} cannot be read: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** Returns a code block that its content cannot close. */
export function fence(code: string, language = ""): string {
  const longest = Math.max(2, ...Array.from(code.matchAll(/`+/g), ([run]) => run.length));
  const marks = "`".repeat(longest + 1);
  return `${marks}${/^[\w+#.-]*$/.test(language) ? language : ""}\n${code.replace(/\n$/, "")}\n${marks}\n`;
}
