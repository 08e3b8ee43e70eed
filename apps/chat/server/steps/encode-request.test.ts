import { expect, test } from "vitest";
import { type ModelRequest, RequestEncoder } from "./encode-request.ts";
import { KnownTexts } from "./known-texts.ts";
import { rebuildRequest } from "./rebuild-request.ts";
import { openRecipes } from "./steps-view.ts";

const LONG = "Plum and pear and quince and fig and lime and date and sloe and medlar and damson.";

/** Records requests, stores them as JSON, and rebuilds each of them. */
async function rebuild(requests: readonly ModelRequest[], known = new KnownTexts()) {
  const encoder = new RequestEncoder(known);
  const recipes = requests.map((request) => encoder.encode(request));
  const stored = JSON.stringify(recipes.map((recipe) => ({ recipe })));
  for (const text of encoder.own.values()) known.add(text);
  const opened = openRecipes(JSON.parse(stored));
  const rebuilt = await Promise.all(
    opened.map((recipe, index) => recipe && rebuildRequest(recipe, { step: index + 1, known, registry: undefined })),
  );
  return { stored, rebuilt };
}

test("the keys of calls keep their order, at every depth", async () => {
  const input = { zebra: 1, apple: { path: LONG, 10: "ten", body: ["one", LONG] } };
  const known = new KnownTexts();
  known.add(LONG);
  const prompt: ModelRequest["prompt"] = [
    { role: "assistant", content: [{ type: "tool-call", toolCallId: "c", toolName: "t", input }] },
  ];
  const { rebuilt, stored } = await rebuild([{ prompt }], known);
  expect(rebuilt[0]?.isExact).toBe(true);
  expect(rebuilt[0]?.json).toBe(JSON.stringify({ prompt }));
  expect(stored).not.toContain("quince");
});

test("a text that looks like a mark of the recipe is rebuilt like any other", async () => {
  const text = "\u00013,4";
  const known = new KnownTexts();
  known.add(text);
  const prompt: ModelRequest["prompt"] = [
    { role: "assistant", content: [{ type: "tool-call", toolCallId: text, toolName: "t", input: { text } }] },
  ];
  const { rebuilt } = await rebuild([{ prompt }], known);
  expect(rebuilt[0]?.json).toBe(JSON.stringify({ prompt }));
});

test("a request stores only the messages that the request before it does not have", async () => {
  const messages = Array.from({ length: 30 }, (_, index) => ({
    role: "user" as const,
    content: [{ type: "text" as const, text: `Message ${index}` }],
  }));
  const { stored, rebuilt } = await rebuild([{ prompt: messages.slice(0, 29) }, { prompt: messages }]);
  expect(stored.split('Message 3"')).toHaveLength(2);
  expect(rebuilt.map((one) => one?.messages.length)).toEqual([29, 30]);
  expect(rebuilt.every((one) => one?.isExact)).toBe(true);
});

test("attached images are their size and digest", async () => {
  const data = new Uint8Array([1, 2, 3, 4]);
  const prompt: ModelRequest["prompt"] = [
    { role: "user", content: [{ type: "file", mediaType: "image/png", data: { type: "data", data } }] },
  ];
  const { rebuilt, stored } = await rebuild([{ prompt }]);
  expect(rebuilt[0]?.isExact).toBe(true);
  expect(rebuilt[0]?.messages[0]?.texts[0]).toMatchObject({ kind: "attachment" });
  expect(rebuilt[0]?.json).toContain('"bytes":4,"digest":"sha256:');
  expect(stored).not.toContain("AQIDBA");
});

test("instructions of a skill are named, and never stored, wherever they are in a request", async () => {
  const body = `<skill_content name="tea">\n${LONG}\n</skill_content>`;
  const prompt: ModelRequest["prompt"] = [
    { role: "system", content: `Rules.\n\n${body}` },
    { role: "user", content: [{ type: "text", text: `${body}\n\nHello` }] },
    {
      role: "tool",
      content: [
        { type: "tool-result", toolCallId: "1", toolName: "skills_activate", output: { type: "text", value: body } },
        {
          type: "tool-result",
          toolCallId: "2",
          toolName: "skills_read_resource",
          output: { type: "text", value: "fig" },
        },
      ],
    },
  ];
  const { rebuilt, stored } = await rebuild([{ prompt }]);
  expect(stored).not.toMatch(/quince|fig/);
  expect(rebuilt[0]?.isExact).toBe(false);
  expect(rebuilt[0]?.json).toContain("[The skill 'tea' is not available. Its texts are not stored.]");
});
