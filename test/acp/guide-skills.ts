import { join } from "node:path";
import { defineSkill } from "../../packages/skillset/src/index.ts";
import { skillMd, writeFiles } from "../temporary-folder.ts";

/** The content of the skills, in words that occur nowhere else. */
export const GUIDE_BODY = "Ask for the colour of its beak, then look into references/waders.md.";
export const GUIDE_FILE = "A red beak on the beach belongs to an oystercatcher.";
export const TIDES_BODY = "Ask the gauge, and subtract the height of the pier.";

/** Writes a skill with a reference, and returns its folder. */
export function storeGuide(folder: string): string {
  writeFiles(folder, {
    "skills/bird-guide/SKILL.md": skillMd("bird-guide", "Names birds. Use when somebody has seen one.", GUIDE_BODY),
    "skills/bird-guide/references/waders.md": GUIDE_FILE,
  });
  return join(folder, "skills/bird-guide");
}

/** A skill in code; its tool records its input. */
export function tidesSkill(onAsked: (input: unknown) => void = () => {}) {
  return defineSkill({
    name: "tides",
    description: "Knows the tides. Use when asked about water.",
    body: TIDES_BODY,
    tools: [
      {
        name: "gauge",
        description: "Reads the gauge of a place",
        inputSchema: { type: "object", properties: { place: { type: "string" } }, required: ["place"] },
        handler: ({ place }: { place: string }) => {
          onAsked({ place });
          return `The gauge of ${place} says 417 cm.`;
        },
      },
    ],
  });
}
