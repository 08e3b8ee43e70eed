import { LIMITS } from "../base/limits.ts";

/** A compiled pattern, or why it cannot be used. */
export type CompiledPattern = { readonly test: (text: string) => boolean } | { readonly fault: string };

/** Loads the engine, which takes time linear in the text for every pattern. Most programs never need it. */
export async function loadPatterns(): Promise<(source: string) => CompiledPattern> {
  const { RE2JS } = await import("re2js");
  return (source) => {
    try {
      const pattern = RE2JS.compile(source, RE2JS.CASE_INSENSITIVE);
      const size = pattern.programSize();
      const most = LIMITS.hard.patternSize;
      if (size > most) return { fault: `it compiles to ${size} instructions, and the maximum is ${most}` };
      if (pattern.test("")) return { fault: "it matches every message" };
      return { test: (text) => pattern.test(text) };
    } catch (error) {
      // The engine throws its own errors for what it does not support, and others for what it did not expect.
      const message = error instanceof Error ? error.message : "";
      // The engine adds the flag to the pattern that it shows.
      const fault = message.replace(/^error parsing regexp: /, "").replace("`(?i)", "`");
      return { fault: fault || "it is not a valid RE2 expression" };
    }
  };
}
