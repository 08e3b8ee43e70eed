import { skillToolCall } from "../allowed-tools/judged-call.ts";
import { requireCall } from "../session/check-call.ts";
import type { SessionContext } from "../session/context.ts";
import type { ActivatedBy } from "../session/ledger.ts";
import { unknownTool } from "../session/unknown-skill.ts";
import { escapeSkillTags } from "../text/escape.ts";
import type { ToolResult } from "../tool/call-tool.ts";
import type { OperationOutput } from "../tool/model-tool.ts";
import { plainValue } from "../tool/plain-value.ts";
import { type OperationDefinition, skillArgument, stringArgument } from "./operation.ts";

export const callSkillTool: OperationDefinition<"call_skill_tool"> = {
  id: "call_skill_tool",
  title: "Call skill tool",
  description:
    "Call a tool that a skill provides. The skill's instructions say which tools there are and what they take.",
  properties: (skillName) => ({
    skill: skillName,
    tool: { type: "string", description: "The tool's name within the skill" },
    input: { description: "The tool's input, as the skill's instructions describe it" },
  }),
  required: ["skill", "tool", "input"],
  readOnly: false,
  usesLoadedSkill: true,
  rule: (name) => `Call a skill's tools with \`${name}\`, once it is active.`,
  execute: (context, input, { signal, by }) => {
    const skill = skillArgument(input);
    const tool = stringArgument(input, "tool");
    return callSkillToolForModel(context, skill, tool, input.input, { signal, by: by?.(skill) });
  },
};

/** Calls one of a skill's tools, and returns its result for a model. */
export async function callSkillToolForModel(
  context: SessionContext,
  skill: string,
  tool: string,
  input: unknown,
  use: CallUse,
): Promise<OperationOutput> {
  const result = await call(context, skill, tool, input, use);
  return { text: escapeSkillTags(result.text), data: { skill, tool, result: plainValue(result) } };
}

interface CallUse {
  readonly signal?: AbortSignal | undefined;
  readonly by?: ActivatedBy | undefined;
}

/** Calls one of a skill's tools, and records the outcome and the duration. */
export function call(
  context: SessionContext,
  name: string,
  toolName: string,
  input: unknown,
  { signal, by = "model" }: CallUse = {},
): Promise<ToolResult> {
  const content = { "skillset.tool.input": toJson(input) };
  const work = async (): Promise<ToolResult> => {
    const skill = context.find(name, by);
    const tool = skill.tools.find((candidate) => candidate.name === toolName);
    if (tool === undefined) throw unknownTool(skill, toolName);
    requireCall(context, skillToolCall(skill, toolName));
    // Loaded on demand: it imports a schema validator, which programs without tools do not need.
    const { callTool } = await import("../tool/call-tool.ts");
    const start = performance.now();
    const record = (outcome: "succeeded" | "failed"): void => {
      const milliseconds = Math.round(performance.now() - start);
      context.record(
        { type: "tool-called", skill: skill.name, tool: toolName, milliseconds, outcome },
        { "skillset.tool.name": toolName, "skillset.tool.outcome": outcome },
      );
    };
    try {
      const result = await callTool(tool, input, {
        owner: ` of skill '${skill.name}'`,
        context: (toolSignal) => ({ skill, signal: toolSignal }),
        signal,
        timeout: context.limits.toolTimeout,
      });
      record("succeeded");
      return result;
    } catch (error) {
      record("failed");
      throw error;
    }
  };
  return context.follow({ operation: "call", skill: name, content }, work, ({ text }) => ({
    "skillset.tool.output": text,
  }));
}

function toJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "undefined";
  } catch {
    return "[not JSON]";
  }
}
