import { readFileSync } from "node:fs";

/** The files of each adapter, below `packages/skillset/src`; shared code is in `adapter/`. */
export const sources: Readonly<Record<string, readonly string[]>> = {
  "AI SDK": [
    "ai-sdk/with-skills.ts",
    "ai-sdk/instructions.ts",
    "ai-sdk/guard-tools.ts",
    "ai-sdk/message-text.ts",
    "ai-sdk/compact-messages.ts",
  ],
  "OpenAI Responses": ["openai/run-responses.ts", "openai/without-parsed.ts", "openai/compact-messages.ts"],
  "OpenAI Chat": ["openai/run-chat.ts", "openai/without-parsed.ts", "openai/compact-messages.ts"],
  "OpenAI Agents": ["openai-agents/with-skills.ts"],
  "Anthropic Messages": [
    "anthropic/run-messages.ts",
    "anthropic/check-request.ts",
    "anthropic/mark-cache.ts",
    "anthropic/compact-messages.ts",
  ],
  MCP: ["mcp/server/mcp-server.ts"],
};

/** Returns the length of an adapter in lines of code, without comments. */
export function linesOf(name: string): number {
  const lines = (file: string) =>
    readFileSync(`packages/skillset/src/${file}`, "utf8")
      .split("\n")
      .filter((line) => !/^\s*(?:$|\/\/|\/\*|\*)/.test(line)).length;
  return (sources[name] ?? []).reduce((sum, file) => sum + lines(file), 0);
}
