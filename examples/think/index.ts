import assert from "node:assert/strict";
import { startScriptedAgent } from "@skillset/testing";

// Replaces a real agent: it acts like one, without a language model.
const scripted = await startScriptedAgent([
  { call: "activate_skill", input: { name: "code-review" } },
  { call: "activate_skill", input: { name: "test-writer" } },
  { call: "call_skill_tool", input: { skill: "test-writer", tool: "count-lines", input: { text: "a\nb" } } },
  { call: "lookup", input: { id: 7 } },
  { call: "return_result", input: { verdict: "approve", remarks: ["Two lines, and both are fine."] } },
  { say: "Done." },
]);
const target = scripted.app;
const source = "export const answer = 42;";

// #region program
import { connectAgent } from "skillset/acp";
import { z } from "zod";

const Review = z.object({ verdict: z.enum(["approve", "reject"]), remarks: z.array(z.string()) });

await using agent = await connectAgent(target); // "claude", "codex", "gemini", "opencode", "pi", or { command, args, env }
const review = await agent
  .think(Review) // zod, any other Standard Schema, or a JSON Schema
  .skill("packages/skillset/skills/code-review") // a skill in a folder, read when the run starts
  .skill({
    name: "test-writer",
    description: "Writes unit tests. Use when tests are missing.",
    body: "Call `count-lines` first: more than 100 lines need more than one test file.",
    tools: [
      {
        name: "count-lines",
        description: "Counts the lines of a text",
        inputSchema: z.object({ text: z.string() }),
        handler: ({ text }) => ({ lines: text.split("\n").length }), // runs here, not in the agent
      },
    ],
  })
  .tool("lookup", "Looks up a ticket", z.object({ id: z.number() }), ({ id }) => `Ticket ${id}: add the answer`)
  .text("Review this change for ticket 7:")
  .code(source, "ts")
  .permissions({ allow: ["read", "search"] }) // other requests are refused
  .timeout(120_000)
  .run();

console.log(review.verdict, review.remarks); // validated against the schema
// #endregion

assert.deepEqual(review, { verdict: "approve", remarks: ["Two lines, and both are fine."] });
assert.deepEqual(scripted.faults, []);
assert.match(
  scripted.requests[0]?.messages[0]?.text ?? "",
  /<name>code-review<\/name>[\s\S]*<name>test-writer<\/name>/,
);
assert.equal(scripted.requests.at(-1)?.toolResults[2]?.text, '{"lines":2}');
await scripted.close();
