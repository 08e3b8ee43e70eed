import { randomBytes } from "node:crypto";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { SkillError } from "../../core/base/errors.ts";
import { shownCommand } from "../terminal/printable.ts";

/** A token, and what should be changed about the file that it is in. */
export interface StoredToken {
  readonly token: string;
  readonly warning?: string;
}

/** The token in a file; made, for this user's eyes only, when there is no such file. */
export function readToken(file: string, cwd: string): StoredToken {
  const path = resolve(cwd, file);
  try {
    const token = randomBytes(32).toString("base64url");
    writeFileSync(path, `${token}\n`, { flag: "wx", mode: 0o600 });
    return { token };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT")
      throw new SkillError("option-invalid", `'${file}' cannot be made: its folder does not exist.`);
    if (code !== "EEXIST") throw error;
  }
  const token = readFileSync(path, "utf8").trim();
  if (/^[\x21-\x7e]{16,512}$/.test(token)) return isShared(path) ? { token, warning: sharedWarning(file) } : { token };
  throw new SkillError("option-invalid", `'${file}' must hold one token of at least 16 characters without spaces.`);
}

/** Only a warning, because containers are given their secrets in files that everybody in them may read. */
function sharedWarning(file: string): string {
  return `Other users of this machine may read or change the token in '${file}'. Run: ${shownCommand("chmod", "600", file)}`;
}

/** Windows has no such modes. */
function isShared(path: string): boolean {
  return process.platform !== "win32" && (statSync(path).mode & 0o077) !== 0;
}
