import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folder = mkdtempSync(join(tmpdir(), "skillset-example-"));
const file = join(folder, "overrides.json");

// #region program
import { MarkdownSection, Prompt, PromptOverrideStore, PromptTemplate } from "skillset/prompt";

const templateWith = (text: string) =>
  new PromptTemplate<{ repo: string }>({
    ns: "review",
    key: "code",
    sections: [new MarkdownSection({ title: "Task", key: "task", template: text })],
  });
const template = templateWith("Review $repo.");

const store = new PromptOverrideStore({ file }); // without a file, in memory
await store.set(template, "task", "Review $repo for security issues.", { tag: "security" });

const overrides = await store.load(template, { tag: "security" });
const { text } = new Prompt(template).bind({ repo: "shop" }).render({ overrides });
console.log(text); // Review shop for security issues.

const next = templateWith("Review $repo, tests first."); // a later version of the program
const current = await store.load(next, {
  tag: "security",
  onStale: ({ key, reason }) => console.log(`The override of '${key}' is left out: ${reason}.`), // without it, load throws
});
console.log(current); // {}
// #endregion

assert.match(text, /Review shop for security issues\./);
assert.deepEqual(current, {});
await assert.rejects(store.load(next, { tag: "security" }), /are stale for 'task'/);
rmSync(folder, { recursive: true });
