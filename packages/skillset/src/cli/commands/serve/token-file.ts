import { randomBytes } from "node:crypto";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { SkillError } from "../../../core/base/errors.ts";
import { shownCommand } from "../../terminal/printable.ts";

/** A token, and a warning about the permissions of its file. */
export interface StoredToken {
  readonly token: string;
  readonly warning?: string;
}

/** Reads the token from a file. Creates the file, readable only by this user, if it does not exist. */
export function readToken(file: string, cwd: string): StoredToken {
  const path = resolve(cwd, file);
  try {
    const token = randomBytes(32).toString("base64url");
    writeFileSync(path, `${token}\n`, { flag: "wx", mode: 0o600 });
    return { token };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT")
      throw new SkillError("option-invalid", `'${file}' cannot be created: its folder does not exist.`);
    if (code !== "EEXIST") throw error;
  }
  const token = readFileSync(path, "utf8").trim();
  if (/^[\x21-\x7e]{16,512}$/.test(token)) return isShared(path) ? { token, warning: sharedWarning(file) } : { token };
  throw new SkillError("option-invalid", `'${file}' must contain one token of at least 16 characters without spaces.`);
}

/** Only a warning, because containers often mount secrets as files that every user can read. */
function sharedWarning(file: string): string {
  return `Other users of this machine can read or change the token in '${file}'. Run: ${shownCommand("chmod", "600", file)}`;
}

/** Windows has no such file modes. */
function isShared(path: string): boolean {
  return process.platform !== "win32" && (statSync(path).mode & 0o077) !== 0;
}
