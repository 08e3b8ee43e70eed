import { describe, expect, test } from "vitest";
import { LIMITS } from "../base/limits.ts";
import { type ConversationEvent, reduce } from "./reduce.ts";
import { EMPTY_STATE, type SessionState, type StoredNotice } from "./state.ts";

const after = (...events: readonly ConversationEvent[]): SessionState => events.reduce(reduce, EMPTY_STATE);
const activated = (name: string, digest = "1", tokens = 5): ConversationEvent => ({
  type: "activated",
  skill: { name, digest, by: "model" },
  tokens,
});
const noticed = (notice: Partial<StoredNotice>): ConversationEvent => ({
  type: "noticed",
  notice: { message: "m", position: 0, ...notice },
});
const instructions = (name: string) => ({ name, digest: "1", changed: false });

test("the state of a conversation can be made from its events alone", () => {
  const catalog = { text: "C", tokens: 1, skills: {}, shortened: [], nameOnly: [], omitted: [], hasTools: false };
  const state = after({ type: "catalog-shown", catalog }, activated("a"), noticed({ text: "N" }), activated("b"));
  expect(state).toEqual({
    version: 3,
    active: [
      { name: "a", digest: "1", by: "model" },
      { name: "b", digest: "1", by: "model" },
    ],
    spent: 10,
    catalog,
    notices: [{ message: "m", position: 0, text: "N" }],
  });
  expect(EMPTY_STATE).toEqual({ version: 3, active: [], spent: 0, notices: [] });
});

describe("an activation", () => {
  test("of an active skill keeps its place, and spends again", () => {
    const { active, spent } = after(activated("a"), activated("b"), activated("a", "2"));
    expect(active.map(({ name, digest }) => `${name} ${digest}`)).toEqual(["a 2", "b 1"]);
    expect(spent).toBe(15);
  });

  test("keeps who activated the skill, unless its instructions are others", () => {
    const byUser = (digest: string): ConversationEvent => ({
      type: "activated",
      skill: { name: "a", digest, by: "user", arguments: "x" },
      tokens: 0,
    });
    expect(after(activated("a"), byUser("1")).active).toEqual([
      { name: "a", digest: "1", by: "model", arguments: "x" },
    ]);
    expect(after(activated("a"), byUser("2")).active).toMatchObject([{ by: "user" }]);
  });

  test("that changes nothing returns the same state", () => {
    const state = after(activated("a"));
    expect(reduce(state, activated("a", "1", 0))).toBe(state);
    expect(reduce(state, { type: "deactivated", name: "b" })).toBe(state);
  });
});

test("a skill that is deactivated leaves the notices too", () => {
  const both = [instructions("a"), instructions("b")];
  const { active, notices, spent } = after(
    activated("a"),
    activated("b"),
    noticed({ invoked: both, text: "N" }),
    noticed({ triggered: [instructions("a")], given: both }),
    { type: "deactivated", name: "a" },
  );
  expect(active.map(({ name }) => name)).toEqual(["b"]);
  expect(notices).toEqual([
    { message: "m", position: 0, text: "N", invoked: [instructions("b")] },
    { message: "m", position: 0, given: [instructions("b")] },
  ]);
  expect(spent).toBe(10);
});

test("of too many notices, the older half is dropped", () => {
  const most = LIMITS.soft.notices;
  const all = Array.from({ length: most + 1 }, (_, position) => noticed({ position }));
  expect(after(...all.slice(0, most)).notices).toHaveLength(most);
  const { notices } = after(...all);
  expect(notices).toHaveLength(most + 1 - Math.floor((most + 1) / 2));
  expect(notices.at(-1)?.position).toBe(most);
});
