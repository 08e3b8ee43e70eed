import type { ModelMessage, ToolSet } from "ai";
import type { InvokedSkill, Session } from "skillset";
import { type WithSkills, withSkills } from "skillset/ai-sdk";

/** What a model is asked, and which skill the person named. */
export interface ModelRequest {
  readonly settings: Omit<WithSkills<ToolSet>, "invoked" | "prepareStep" | "stopWhen"> &
    Partial<Pick<WithSkills<ToolSet>, "prepareStep" | "stopWhen">>;
  /** The skill that the message names, with the words behind it. */
  readonly invoked?: InvokedSkill | undefined;
}

/** The request, with the chat's skills when there are any. */
export async function prepareRequest(
  session: Session | undefined,
  messages: ModelMessage[],
  hasTools: boolean,
  signal: AbortSignal,
): Promise<ModelRequest> {
  if (session === undefined) return { settings: { instructions: INSTRUCTIONS, messages, tools: {} as never } };
  const { invoked, ...settings } = await withSkills<ToolSet>(session, {
    instructions: INSTRUCTIONS,
    messages,
    catalog: { format: "json" },
    operations: { aliases: ALIASES },
    mode: hasTools ? "tools" : "inject",
    signal,
  });
  return { settings, invoked };
}

const INSTRUCTIONS =
  "You are the assistant in a chat. Answer in Markdown, to the point, in the language of the question.";

/** Providers refuse dots in names of tools; people see the titles. */
const ALIASES = {
  activate_skill: { name: "skills_activate", title: "skills.activate" },
  read_skill_file: { name: "skills_read_resource", title: "skills.readResource", arguments: { skill: "name" } },
} as const;
