import { SkillError } from "./errors.ts";

/** What a model is told of an error: one line, no paths of the machine, no stack, at most 500 characters. */
export function toModelMessage(error: unknown): string {
  const message = error instanceof Error ? error.message : typeof error === "string" ? error : "unknown error";
  const line = message.replace(/\s+/g, " ").trim() || "unknown error";
  const clean = error instanceof SkillError ? line : line.replace(MACHINE_PATH, "<path>");
  return clean.length > MAX_LENGTH ? `${clean.slice(0, MAX_LENGTH - 1)}…` : clean;
}

const MAX_LENGTH = 500;
/** Absolute paths with at least two parts, and Windows drives: what a handler's error may carry. */
const MACHINE_PATH = /(?:file:\/\/)?(?:\b[A-Za-z]:\\[^\s'"`:]+|(?<![\w./])\/(?:[^\s'"`/:]+\/)+[^\s'"`/:]*)/g;
