import { MemorySessionStore, type SessionState } from "../../packages/skillset/src/index.ts";
import { converse } from "../../packages/testing/src/contract/contract-conversation.ts";
import type { ContractAdapter } from "../../packages/testing/src/index.ts";
import type { Situation } from "./situation.ts";
import { ACTIVATION } from "./situations-activation.ts";
import { CATALOG } from "./situations-catalog.ts";
import { history } from "./situations-history.ts";
import { use } from "./situations-use.ts";

/** What was sent and stored in one situation. */
export interface Recording {
  readonly title: string;
  /** The bodies of the requests, in order. */
  readonly requests: readonly Readonly<Record<string, unknown>>[];
  /** The state in the store; undefined for an adapter that stores nothing. */
  readonly state: SessionState | undefined;
}

/** Has each conversation that the adapter can have. */
export async function record(adapter: ContractAdapter): Promise<readonly Recording[]> {
  const all = [...CATALOG, ...ACTIVATION, ...use(adapter), ...history(adapter)];
  const had = all.filter(({ needs }) => needs === undefined || adapter.lacks?.[needs] === undefined);
  return Promise.all(had.map((situation) => recordOne(adapter, situation)));
}

async function recordOne(adapter: ContractAdapter, { title, before, setup, talk }: Situation): Promise<Recording> {
  const store = setup.session?.store ?? new MemorySessionStore();
  const hasStore = adapter.lacks?.store === undefined;
  const session = { ...setup.session, ...(hasStore && { id: "chat", store }) };
  await before?.();
  let recording: Recording | undefined;
  await converse(adapter, { ...setup, session }, async ({ agent, model }) => {
    for (const step of talk) await (typeof step === "string" ? agent.say(step) : step(agent));
    const requests = model.requests.map(({ body }) => body);
    recording = constant({ title, requests, state: hasStore ? await store.load("chat") : undefined });
  });
  if (recording === undefined) throw new Error(`Nothing was recorded: ${title}.`);
  return recording;
}

/** Replaces what differs between two runs: ids, by their order, and durations. */
function constant(recording: Recording): Recording {
  const ids = new Map<string, string>();
  const replaced = JSON.stringify(recording)
    .replace(/\b(call_|toolu_|msg_|fc_|resp_|chatcmpl-)[0-9a-f]{24}\b/g, (id, prefix: string) => {
      const known = ids.get(id) ?? `${prefix}${ids.size + 1}`;
      ids.set(id, known);
      return known;
    })
    .replace(/after \d+ ms/g, "after 1 ms");
  return JSON.parse(replaced);
}
