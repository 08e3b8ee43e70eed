import type { ModelMessage, ToolSet } from "ai";
import type { CatalogOptions, Session } from "skillset";
import type { InvokedSkill } from "skillset/adapter";
import { type WithSkills, type WithSkillsOptions, withoutSkills, withSkills } from "skillset/ai-sdk";
import type { AnswerConfig } from "../config/models-config.ts";
import type { SkillRegistry } from "../skills/loaded-skills.ts";
import { peopleCatalog } from "../skills/people-catalog.ts";
import { RUN_SCRIPT } from "./follow-scripts.ts";
import { noteDenials } from "./note-denials.ts";
import { collectTriggered, type TriggeredSkill } from "./triggered-skills.ts";

/** The prompt for the AI SDK, and the skills that the user invoked. */
export interface PreparedPrompt {
  readonly settings: Omit<WithSkills<ToolSet>, "invoked">;
  /** The skills that the message invokes, with its arguments. */
  readonly invoked: readonly InvokedSkill[];
  /** The skills that the message triggers. */
  readonly triggered: readonly TriggeredSkill[];
}

export interface PreparePromptOptions {
  readonly hasTools: boolean;
  /** Whether the model takes files of a media type. */
  readonly takesFiles: (mediaType: string) => boolean;
  /** The settings of models. */
  readonly models: AnswerConfig;
  /** What the settings of skills change in the prompt. */
  readonly turnOptions: SkillRegistry["turnOptions"] | undefined;
  readonly compact: NonNullable<WithSkillsOptions<ToolSet>["compact"]>;
  readonly signal: AbortSignal;
}

/** Builds the prompt, with the chat's skills if skills are enabled. */
export async function preparePrompt(
  session: Session | undefined,
  messages: ModelMessage[],
  { hasTools, takesFiles, models, turnOptions, compact, signal }: PreparePromptOptions,
): Promise<PreparedPrompt> {
  const { maxSteps } = models;
  if (session === undefined) {
    // Without skills, only the size of the request matters.
    const request = { instructions: INSTRUCTIONS, messages };
    return { settings: await withoutSkills<ToolSet>({ request, compact, maxSteps }), invoked: [], triggered: [] };
  }
  const { result, triggered } = await collectTriggered(session, () =>
    withSkills<ToolSet>({
      session,
      request: {
        instructions: hasTools
          ? INSTRUCTIONS
          : [INSTRUCTIONS, ...skillsForPeople(session, turnOptions?.catalog)].join("\n\n"),
        messages,
      },
      ...turnOptions,
      operations: { aliases: ALIASES },
      files: takesFiles,
      mode: hasTools ? "tools" : "inject",
      maxSteps,
      compact,
      signal,
    }),
  );
  const { invoked, ...settings } = result;
  return { settings: { ...settings, tools: noteDenials(settings.tools, session) }, invoked, triggered };
}

/** Lists skills for a model without tools. It can suggest them, but only the user can activate them. */
function skillsForPeople({ skillset }: Session, catalog: CatalogOptions | undefined): readonly string[] {
  const { text } = peopleCatalog(skillset, catalog);
  return text === "" ? [] : [text, SUGGEST];
}

const INSTRUCTIONS =
  "You are the assistant in a chat. Answer in Markdown, to the point, in the language of the question.";

const SUGGEST =
  "You cannot activate these skills yourself. If one fits the request and its instructions are not in this prompt, " +
  "suggest that the person starts a message with `/` and the name of the skill.";

/** Providers refuse dots in tool names, so users see the titles instead. */
const ALIASES = {
  activate_skill: { name: "skills_activate", title: "skills.activate" },
  read_skill_file: { name: "skills_read_resource", title: "skills.readResource", arguments: { skill: "name" } },
  search_skills: { name: "skills_search", title: "skills.search" },
  run_skill_script: { name: RUN_SCRIPT, title: "skills.runScript", arguments: { skill: "name" } },
} as const;
