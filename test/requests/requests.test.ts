import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ContractAdapter } from "../../packages/testing/src/index.ts";
import { adapters } from "../conformance/adapters/all.ts";
import { rawTurn } from "./raw-turn.ts";
import { type Recording, record } from "./record.ts";
import { changedSections, writeRequests, writeStates } from "./write.ts";

const all = [rawTurn, ...adapters];
const recorded = new Map<ContractAdapter, Promise<readonly Recording[]>>();

/** Both tests use the same recording. */
function recordOnce(adapter: ContractAdapter): Promise<readonly Recording[]> {
  const recording = recorded.get(adapter) ?? record(adapter);
  recorded.set(adapter, recording);
  return recording;
}

async function compare(name: string, text: string): Promise<void> {
  const path = join(import.meta.dirname, "recorded", name);
  const changed = changedSections(existsSync(path) ? readFileSync(path, "utf8") : "", text);
  const more = changed.length > 5 ? `, and ${changed.length - 5} more` : "";
  const message = `${changed.slice(0, 5).join("; ")}${more}. If this is meant, run: npx vitest run test/requests -u`;
  await expect(text, message).toMatchFileSnapshot(path);
}

test.for(all)("$name sends the recorded requests", async (adapter) => {
  await compare(`${adapter.name.match(/\w+/g)?.join("-").toLowerCase()}.txt`, writeRequests(await recordOnce(adapter)));
});

test("the store has the recorded states after each situation", async () => {
  const states = new Map<string, readonly Recording[]>();
  for (const adapter of all) states.set(adapter.name, await recordOnce(adapter));
  await compare("states.txt", writeStates(states));
});
