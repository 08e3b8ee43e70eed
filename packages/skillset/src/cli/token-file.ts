import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { SkillError } from "../core/errors.ts";

/** The token in a file; made, for this user's eyes only, when there is no such file. */
export function readToken(file: string, cwd: string): string {
  const path = resolve(cwd, file);
  try {
    const token = randomBytes(32).toString("base64url");
    writeFileSync(path, `${token}\n`, { flag: "wx", mode: 0o600 });
    return token;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT")
      throw new SkillError("option-invalid", `'${file}' cannot be made: its folder does not exist.`);
    if (code !== "EEXIST") throw error;
  }
  const token = readFileSync(path, "utf8").trim();
  if (/^[\x21-\x7e]{16,512}$/.test(token)) return token;
  throw new SkillError("option-invalid", `'${file}' must hold one token of at least 16 characters without spaces.`);
}
