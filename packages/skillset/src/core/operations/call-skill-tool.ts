import { skillToolCall } from "../allowed-tools/judged-call.ts";
import type { ActivatedBy } from "../conversation/state.ts";
import { hostOf } from "../host/skill-host.ts";
import { IN_PROCESS } from "../host/toolset-host.ts";
import type { CallHooks } from "../script/script.ts";
import { requireCall } from "../session/check-call.ts";
import type { Conversation } from "../session/conversation.ts";
import { toolsetTools } from "../session/load-toolsets.ts";
import { unknownTool } from "../session/unknown-skill.ts";
import type { Skill, SkillTool } from "../skill/skill.ts";
import { escapeSkillTags } from "../text/escape.ts";
import type { ToolResult } from "../tool/call-tool.ts";
import type { OperationOutput } from "../tool/model-tool.ts";
import { plainValue } from "../tool/plain-value.ts";
import { type OperationDefinition, stringArgument } from "./operation.ts";

export interface CallInput {
  readonly skill: string;
  readonly tool: string;
  readonly input: unknown;
}

export interface CallData {
  readonly skill: string;
  readonly tool: string;
  /** What the tool returned, if JSON can express it; otherwise as text. */
  readonly result: unknown;
}

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
  returns: "skill-output",
  isDefault: true,
  rule: (name) => `Call a skill's tools with \`${name}\`, once it is active.`,
  read: (given) => ({
    skill: stringArgument(given, "skill"),
    tool: stringArgument(given, "tool"),
    input: given.input,
  }),
  execute: (context, { skill, tool, input }, { signal, by, scripts }) =>
    callSkillToolForModel(context, skill, tool, input, { signal, by: by?.(skill), scripts }),
};

/** Calls one of a skill's tools, and returns its result for a model. */
export async function callSkillToolForModel(
  context: Conversation,
  skill: string,
  tool: string,
  input: unknown,
  use: CallUse,
): Promise<OperationOutput<CallData>> {
  const result = await call(context, skill, tool, input, use);
  return { text: escapeSkillTags(result.text), data: { skill, tool, result: plainValue(result) } };
}

interface CallUse {
  readonly signal?: AbortSignal | undefined;
  readonly by?: ActivatedBy | undefined;
  /** Consent for a tool of a toolset. */
  readonly scripts?: CallHooks | undefined;
}

/** Calls one of a skill's tools, and records the outcome and the duration. */
export function call(
  context: Conversation,
  name: string,
  toolName: string,
  input: unknown,
  { signal, by = "model", scripts }: CallUse = {},
): Promise<ToolResult> {
  const content = { "skillset.tool.input": toJson(input) };
  const work = async (): Promise<ToolResult> => {
    const skill = context.find(name, by);
    const { tool, level } = await findTool(context, skill, toolName, { signal, scripts });
    requireCall(context, skillToolCall(skill, toolName));
    // Loaded on demand: it imports a schema validator, which programs without tools do not need.
    const { callTool } = await import("../tool/call-tool.ts");
    const start = performance.now();
    const record = (outcome: "succeeded" | "failed"): void => {
      const milliseconds = Math.round(performance.now() - start);
      context.record(
        { type: "tool-called", skill: skill.name, tool: toolName, milliseconds, outcome, ...(level && { level }) },
        { "skillset.tool.name": toolName, "skillset.tool.outcome": outcome },
      );
    };
    try {
      const result = await callTool(tool, input, {
        owner: ` of skill '${skill.name}'`,
        context: (toolSignal) => ({ skill, signal: toolSignal }),
        signal,
        // The limits of scripts apply to a tool in a sandbox, without the time until somebody consents.
        timeout:
          level === undefined || level === IN_PROCESS ? context.settings.limits.toolTimeout : Number.POSITIVE_INFINITY,
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

/** Finds a tool of the skill in code, or else of its toolsets. `level` is what contains it. */
async function findTool(
  context: Conversation,
  skill: Skill,
  name: string,
  use: Pick<CallUse, "signal" | "scripts">,
): Promise<{ readonly tool: SkillTool; readonly level?: string | undefined }> {
  const isNamed = (one: SkillTool): boolean => one.name === name;
  const own = skill.tools.find(isNamed);
  if (own !== undefined) return { tool: own };
  const { tools, failures } = await toolsetTools(context, skill, use);
  const tool = tools.find(isNamed);
  if (tool === undefined) throw unknownTool(skill, name, { tools, failures });
  return { tool, level: hostOf(context.skillset, skill).toolsets?.level };
}

function toJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "undefined";
  } catch {
    return "[not JSON]";
  }
}
