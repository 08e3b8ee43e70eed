import assert from "node:assert/strict";
import type { SessionOptions } from "skillset";
import type { ScriptStep } from "../model/script.ts";
import type { ContractAdapter, ContractScenario } from "./contract-adapter.ts";
import { type ContractConversation, converse, lastRequest, resultsIn, withFolder } from "./contract-conversation.ts";

/** Reading files that are not text, and data. */
export const binaryScenarios: readonly ContractScenario[] = [
  {
    id: "image",
    title: "An image reaches the model as an image, with the same bytes, and not as text",
    needs: "files",
    run: (adapter) =>
      read(adapter, ["assets/leaf.png"], async ({ agent, model }) => {
        await agent.say("Read it.");
        const { files, body, toolResults } = lastRequest(model);
        assert.deepEqual(
          files.map(({ kind, mediaType, bytes }) => ({ kind, mediaType, bytes })),
          [{ kind: "image", mediaType: "image/png", bytes: PNG }],
        );
        assert.equal(JSON.stringify(body).split(Buffer.from(PNG).toString("base64")).length - 1, 1);
        assert.match(toolResults[0]?.text ?? "", /^'assets\/leaf\.png' follows as a file \(image\/png, \d+ bytes\)\./);
        const [entry] = agent.session.ledger.entries.filter(({ type }) => type === "file-read");
        assert.ok(entry?.type === "file-read" && entry.mediaType === "image/png" && entry.bytes === PNG.length);
      }),
  },
  {
    id: "image-later",
    title: "A later request contains an image that was read before, once, after all results of its step",
    needs: "files",
    run: (adapter) =>
      read(adapter, ["assets/leaf.png", "references/kinds.md"], async ({ agent, model }) => {
        await agent.say("Read both.");
        await agent.say("And now?");
        const { files, toolResults } = lastRequest(model);
        assert.deepEqual(
          files.map(({ bytes }) => bytes),
          [PNG],
        );
        assert.equal(toolResults.length, 2);
        assert.ok(toolResults.some(({ text }) => text.includes("Green")));
      }),
  },
  {
    id: "image-output",
    title: "An image that a script wrote reaches the model as an image",
    needs: "files",
    run: (adapter) => {
      const run: ScriptStep = { call: "run_skill_script", input: { skill: "guide", script: "scripts/draw.mjs" } };
      return read(
        adapter,
        ["$OUTPUT_DIR/chart.png"],
        async ({ agent, model }) => {
          await agent.say("Draw it.");
          assert.deepEqual(
            lastRequest(model).files.map(({ bytes }) => bytes),
            [PNG],
          );
        },
        { before: [run] },
      );
    },
  },
  {
    id: "data",
    title: "A CSV file reaches the model as a file, with its name",
    needs: "data-files",
    run: (adapter) =>
      read(adapter, ["assets/teas.csv"], async ({ agent, model }) => {
        await agent.say("Read it.");
        const [file, ...others] = lastRequest(model).files;
        assert.deepEqual(others, []);
        assert.equal(file?.name, "teas.csv");
        assert.match(file.mediaType, /^text\//);
        assert.equal(Buffer.from(file.bytes).toString(), CSV);
      }),
  },
  {
    id: "data-complete",
    title: "The model gets all of a CSV file, as a file or as text",
    run: (adapter) =>
      read(adapter, ["assets/teas.csv"], async ({ agent, model }) => {
        await agent.say("Read it.");
        const { files, toolResults } = lastRequest(model);
        const given = [
          ...files.map(({ bytes }) => Buffer.from(bytes).toString()),
          ...toolResults.map(({ text }) => text),
        ];
        assert.equal(given.filter((text) => text.includes(CSV)).length, 1);
      }),
  },
  {
    id: "file-binary",
    title: "A binary file of an unknown kind is not returned as text, whatever its name",
    run: (adapter) =>
      read(adapter, ["assets/wrong.png"], async ({ agent, model }) => {
        await agent.say("Read it.");
        const [text = ""] = resultsIn(lastRequest(model));
        assert.match(text, /^'assets\/wrong\.png' (?:is a binary file: binary not supported|follows as a file)/);
        assert.ok(!text.includes("image/png"), text);
        assert.deepEqual(lastRequest(model).files, []);
      }),
  },
  {
    id: "file-misnamed",
    title: "A text with the name of an image is text",
    run: (adapter) =>
      read(adapter, ["assets/page.png"], async ({ agent, model }) => {
        await agent.say("Read it.");
        assert.deepEqual(resultsIn(lastRequest(model)), [FILES["guide/assets/page.png"]]);
      }),
  },
  {
    id: "file-large",
    title: "A binary file over the limit is refused with a readable message that contains its size and the limit",
    needs: "files",
    run: (adapter) =>
      read(
        adapter,
        ["assets/leaf.png"],
        async ({ agent, model }) => {
          await agent.say("Read it.");
          const text = `'assets/leaf.png' is too large to send: it has ${PNG.length} bytes, and the limit is 8.`;
          assert.deepEqual(resultsIn(lastRequest(model)), [text]);
          assert.deepEqual(lastRequest(model).files, []);
        },
        { limits: { fileBytes: 8 } },
      ),
  },
];

/** A valid image of one pixel. */
export const PNG = new Uint8Array(
  Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  ),
);

const CSV = "tea,minutes\ngreen,3\nblack,5\n";

const FILES = {
  "guide/SKILL.md":
    "---\nname: guide\ndescription: Guides people. Use when asked for a guide.\n---\n\nRead the references.\n",
  "guide/references/kinds.md": "Green, black, and oolong.",
  "guide/assets/leaf.png": PNG,
  "guide/assets/teas.csv": CSV,
  "guide/assets/wrong.png": new Uint8Array([137, 80, 78, 71, 0, 255, 254]),
  "guide/assets/page.png": "<!doctype html><title>A page</title>",
  "guide/scripts/draw.mjs": [
    'import { writeFileSync } from "node:fs";',
    `writeFileSync(process.env.OUTPUT_DIR + "/chart.png", Buffer.from("${Buffer.from(PNG).toString("base64")}", "base64"));`,
  ].join("\n"),
} as const;

interface ReadOptions {
  readonly limits?: SessionOptions["limits"];
  readonly before?: readonly ScriptStep[];
}

/** Makes the model read files in one step, and answer two messages. */
function read(
  adapter: ContractAdapter,
  paths: readonly string[],
  work: (conversation: ContractConversation) => Promise<void>,
  { limits = {}, before = [] }: ReadOptions = {},
): Promise<void> {
  const calls = paths.map((path) => ({ call: "read_skill_file", input: { skill: "guide", path } }));
  const script: ScriptStep[] = [...before, { calls }, { say: "Done." }, { say: "Still done." }];
  const scripts = { runner: "subprocess", consent: () => "once" as const } as const;
  return withFolder(FILES, (folder) =>
    converse(adapter, { skills: [folder], scripts, session: { limits }, script }, work),
  );
}
