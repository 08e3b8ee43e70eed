import { callTool, type ToolResult } from "./call-tool.ts";
import type { Ledger } from "./ledger.ts";
import { unknownTool } from "./session-errors.ts";
import type { Skill } from "./skill.ts";

export interface CallSkillToolOptions {
  readonly ledger: Ledger;
  readonly signal: AbortSignal | undefined;
  readonly timeout: number;
}

/** Calls one of a skill's tools, and puts down in the ledger how that ended and how long it took. */
export async function callSkillTool(
  skill: Skill,
  toolName: string,
  input: unknown,
  { ledger, signal, timeout }: CallSkillToolOptions,
): Promise<ToolResult> {
  const tool = skill.tools.find((candidate) => candidate.name === toolName);
  if (tool === undefined) throw unknownTool(skill, toolName);
  const start = performance.now();
  const record = (outcome: "succeeded" | "failed"): void => {
    const milliseconds = Math.round(performance.now() - start);
    ledger.append({ type: "tool-called", skill: skill.name, tool: toolName, milliseconds, outcome });
  };
  try {
    const result = await callTool(tool, input, {
      owner: ` of skill '${skill.name}'`,
      context: (toolSignal) => ({ skill, signal: toolSignal }),
      signal,
      timeout,
    });
    record("succeeded");
    return result;
  } catch (error) {
    record("failed");
    throw error;
  }
}
