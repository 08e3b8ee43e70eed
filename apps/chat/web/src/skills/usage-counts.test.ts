import { expect, test } from "vitest";
import type { SkillRow, SkillsView } from "../../../shared/skills-api.ts";
import { withUsage } from "./usage-counts.ts";

const row = (name: string, more: Partial<SkillRow> = {}): SkillRow => ({
  name,
  description: "",
  state: "enabled",
  source: "./.skills",
  chats: 0,
  activations: 0,
  isUserInvocable: true,
  isModelInvocable: true,
  problems: 0,
  ...more,
});
const viewOf = (rows: readonly SkillRow[]): SkillsView => ({
  rows,
  catalog: { text: "", tokens: 0, budget: 8_000, full: 0, shortened: 0, nameOnly: 0, omitted: 0 },
  problems: [],
  collisions: [],
  roots: [],
  scannedAt: "",
});

test("only rows with new counts are new, and a shadowed skill has none", () => {
  const view = viewOf([row("a"), row("b", { chats: 1, activations: 2 }), row("a", { state: "shadowed" })]);
  const after = withUsage(view, { a: { chats: 1, activations: 1 }, b: { chats: 1, activations: 2 } });
  expect(after.rows[0]).toMatchObject({ name: "a", chats: 1, activations: 1 });
  expect(after.rows[1]).toBe(view.rows[1]);
  expect(after.rows[2]).toBe(view.rows[2]);
});

test("without new counts, the view itself stays the same", () => {
  const view = viewOf([row("a", { chats: 1, activations: 1 }), row("constructor")]);
  expect(withUsage(view, { a: { chats: 1, activations: 1 } })).toBe(view);
});
