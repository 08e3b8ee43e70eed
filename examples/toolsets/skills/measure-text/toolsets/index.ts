import { words } from "./words.ts";

export const TextTools = {
  tools: [
    {
      name: "measure",
      description: "Counts the words of a text, and estimates how long it takes to read.",
      inputSchema: {
        type: "object",
        properties: { text: { type: "string", description: "The whole text" } },
        required: ["text"],
      },
      handler: ({ text }: { text: string }) => {
        const count = words(text).length;
        return { words: count, minutes: Math.ceil(count / 200) };
      },
    },
  ],
} satisfies import("skillset").Toolset;
