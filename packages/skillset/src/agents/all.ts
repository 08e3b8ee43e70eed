import { auggie } from "./auggie.ts";
import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { cursor } from "./cursor.ts";
import { gemini } from "./gemini.ts";
import { kiro } from "./kiro.ts";
import { opencode } from "./opencode.ts";
import { pi } from "./pi.ts";
import { vscode } from "./vscode.ts";

/** All supported agents, in the order in which help and errors list them. */
export const AGENTS = [claude, codex, gemini, opencode, pi, kiro, auggie, cursor, vscode] as const;
