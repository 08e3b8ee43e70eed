import { expect, test } from "vitest";
import { describeTool, type ToolPart } from "./describe-tool.ts";

function activation(data: object): ToolPart {
  const output = { isError: false, text: "", data: { name: "tea", body: "Warm the pot.", ...data } };
  const part = {
    type: "tool-skills_activate",
    toolCallId: "1",
    state: "output-available",
    input: { name: "tea" },
    output,
  };
  return part as unknown as ToolPart;
}

test("an activation has the tokens that it added", () => {
  const tool = describeTool(activation({ tokens: 918, alreadyActive: false }), true);
  expect(tool).toMatchObject({ verb: "Used", object: "tea", tokens: 918 });
});

test("an activation of a skill that the conversation already has shows no tokens", () => {
  expect(describeTool(activation({ tokens: 12, alreadyActive: true }), true).tokens).toBeUndefined();
});
