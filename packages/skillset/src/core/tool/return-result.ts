import { SkillError } from "../base/errors.ts";
import { NAMES } from "../base/limits.ts";
import type { PreparedTool } from "./model-tool.ts";
import type { JsonSchema } from "./standard-schema.ts";

/** Returns the tool with which a model or an agent returns its result. */
export function returnResultTool(inputSchema: JsonSchema, execute: PreparedTool["execute"]): PreparedTool {
  return Object.freeze({
    name: NAMES.returnResult,
    title: "Return result",
    description: "Return the requested result. Call it once, at the end.",
    inputSchema,
    readOnly: false,
    isAvailable: () => true,
    execute,
  });
}

/** The error for one that ended its turn without calling the tool, and wrote this answer. `why` is the cause, if known. */
export function missingResult(who: "agent" | "model", answer: string, why = ""): SkillError {
  const said = answer.trim() === "" ? "It wrote no answer." : `Its answer: ${answer.trim().slice(-300)}`;
  const message = `The ${who} ended its turn without calling \`${NAMES.returnResult}\`.`;
  return new SkillError("result-missing", [message, why, said].filter(Boolean).join(" "));
}
