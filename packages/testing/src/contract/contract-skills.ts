import type { JsonSchema, SkillTool, VirtualSkill } from "skillset";
import { defineSkill } from "skillset";

/** The call that activates `TEA`. */
export const ACTIVATE_TEA = { call: "activate_skill", input: { name: "tea" } };

export const TEA = defineSkill({
  name: "tea",
  description: "Makes tea. Use when asked for tea.",
  body: "Steep the leaves for three minutes.",
});

export const COFFEE = defineSkill({
  name: "coffee",
  description: "Makes coffee. Use when asked for coffee.",
  body: "Grind the beans first.",
});

/** Takes the text after its name as its argument. */
export const NOTES = defineSkill({
  name: "notes",
  description: "Takes notes. Use when asked to note something.",
  body: "Write down: $ARGUMENTS",
});

/** Takes a recipient and a tone. */
export const LETTER = defineSkill({
  name: "letter",
  description: "Writes letters. Use when asked for a letter.",
  body: "To $0, in a $tone tone. Sign as $2. Dear $ARGUMENTS[0], it costs $1.50.",
  metadata: { arguments: "recipient tone", "argument-hint": "[recipient] [tone]" },
});

/** Triggers on its name. */
export const COCOA = defineSkill({
  name: "cocoa",
  description: "Makes cocoa. Use when asked for cocoa.",
  body: "Melt the chocolate first.",
  metadata: { "trigger-keywords": "cocoa" },
});

/** Users may invoke it; the model does not know about it. */
export const RELEASE = defineSkill({
  name: "release",
  description: "Publishes a release.",
  body: "Call `tag` with the version.",
  disableModelInvocation: true,
  tools: [
    {
      name: "tag",
      description: "Tag the commit",
      inputSchema: { type: "object", properties: { version: { type: "string" } }, required: ["version"] },
      handler: ({ version }) => `Tagged ${version}.`,
    },
  ],
});

/** The model may activate it; users cannot. */
export const HOUSE_RULES = defineSkill({
  name: "house-rules",
  description: "Knows the rules of the house. Use for every question about them.",
  body: "No shoes on the sofa.",
  userInvocable: false,
});

/** Returns a skill with the tool `brew`, which takes a number of cups. */
export function brewing(name: string, handler: SkillTool<{ cups: number }>["handler"]): VirtualSkill {
  return defineSkill({
    name,
    description: `Brews ${name}. Use when asked for ${name}.`,
    body: "Call `brew` with the number of cups.",
    tools: [{ name: "brew", description: `Brew some ${name}`, inputSchema: CUPS, handler }],
  });
}

const CUPS: JsonSchema = { type: "object", properties: { cups: { type: "number" } }, required: ["cups"] };
