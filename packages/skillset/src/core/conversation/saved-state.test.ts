import { describe, expect, test } from "vitest";
import type { ConversationEvent } from "./reduce.ts";
import { SavedState } from "./saved-state.ts";
import { EMPTY_STATE, type SessionState } from "./state.ts";
import type { SessionStore } from "./store.ts";

/** A store whose calls end when the test says so. */
class HeldStore implements SessionStore {
  readonly saves: { readonly state: SessionState; end(): void; fail(): void }[] = [];
  readonly loads: ((state: SessionState | undefined) => void)[] = [];
  #called: () => void = () => {};

  load(): Promise<SessionState | undefined> {
    return new Promise((resolve) => {
      this.loads.push(resolve);
      this.#called();
    });
  }

  save(_id: string, state: SessionState): Promise<void> {
    return new Promise((resolve, reject) => {
      this.saves.push({ state, end: resolve, fail: () => reject(new Error("The disk is full.")) });
      this.#called();
    });
  }

  called(): Promise<void> {
    return new Promise((resolve) => {
      this.#called = resolve;
    });
  }
}

const activated = (name: string): ConversationEvent => ({
  type: "activated",
  skill: { name, digest: "1", by: "model" },
  tokens: 1,
});
const namesOf = ({ active }: SessionState): readonly string[] => active.map(({ name }) => name);

describe("a save that fails", () => {
  test("reverts its own events together, and no others", async () => {
    const store = new HeldStore();
    const state = new SavedState("1", store);
    let called = store.called();
    const first = state.commit([activated("a"), activated("b")]);
    const second = state.commit([activated("c")]);
    await called;
    expect(namesOf(state.current)).toEqual(["a", "b", "c"]);
    called = store.called();
    store.saves[0]?.fail();
    await expect(first).rejects.toMatchObject({ code: "store-failed" });
    await called;
    expect(namesOf(state.current)).toEqual(["c"]);
    expect(state.current.spent).toBe(1);
    store.saves[1]?.end();
    await second;
    expect(namesOf(store.saves[1]?.state ?? EMPTY_STATE)).toEqual(["c"]);
  });

  test("leaves what was saved before", async () => {
    const store = new HeldStore();
    const state = new SavedState("1", store);
    for (const [index, end] of (["end", "fail"] as const).entries()) {
      const called = store.called();
      const saving = state.commit([activated(`skill-${index}`)]);
      await called;
      store.saves[index]?.[end]();
      await saving.catch(() => {});
    }
    expect(namesOf(state.current)).toEqual(["skill-0"]);
  });
});

test("events that the save before contained are not saved again", async () => {
  const store = new HeldStore();
  const state = new SavedState("1", store);
  const called = store.called();
  const both = [state.commit([activated("a")]), state.commit([activated("b")])];
  await called;
  store.saves[0]?.end();
  await Promise.all(both);
  expect(store.saves.map((save) => namesOf(save.state))).toEqual([["a", "b"]]);
});

test("a state that is saved during a load is loaded again", async () => {
  const store = new HeldStore();
  const state = new SavedState("1", store);
  state.apply([activated("a")]);
  let called = store.called();
  const loading = state.load();
  await called;
  called = store.called();
  const saving = state.commit([]);
  await called;
  store.loads[0]?.({ ...EMPTY_STATE, spent: 7 });
  store.saves[0]?.end();
  called = store.called();
  await saving;
  await called;
  expect(namesOf(state.current)).toEqual(["a"]);
  store.loads[1]?.(store.saves[0]?.state);
  await loading;
  expect(namesOf(state.current)).toEqual(["a"]);
});

test("without a store, the state changes at once and nothing is kept for later", async () => {
  const state = new SavedState("1", undefined);
  state.apply([activated("a")]);
  await state.commit([activated("b")]);
  await state.load();
  expect(namesOf(state.current)).toEqual(["a", "b"]);
});
