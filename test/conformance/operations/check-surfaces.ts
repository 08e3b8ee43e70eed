import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { OperationId } from "../../../packages/skillset/src/adapter/index.ts";
import { OPERATION_IDS } from "../../../packages/skillset/src/core/operations/all.ts";
import type { LedgerEntry } from "../../../packages/skillset/src/core/session/ledger.ts";
import { writeFiles } from "../../temporary-folder.ts";
import { CASES } from "./cases.ts";
import { reasonAgainst, type SurfaceName } from "./offers.ts";
import { FILES, type Played, type Surface, type World, type WorldCall } from "./surface.ts";

/** Tests that each operation works on the surfaces that offer it, and that the others refuse a call of it. */
export function checkSurfaces(surfaces: Readonly<Partial<Record<SurfaceName, Surface>>>): void {
  let folder = "";
  beforeAll(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "skillset-operations-")));
    writeFiles(folder, FILES);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  describe.each(Object.entries(surfaces) as [SurfaceName, Surface][])("%s", (name, surface) => {
    describe.each([true, false])("with scripts: %s", (hasScripts) => {
      const calls = OPERATION_IDS.map((id): WorldCall => {
        return { id, input: CASES[id].input, isOffered: reasonAgainst(name, id, hasScripts) === undefined };
      });
      // All cells of a row share one conversation.
      let played: Promise<Played> | undefined;
      test.each(calls)("$id, offered: $isOffered", async (call) => {
        played ??= surface.play(worldIn(folder, hasScripts, calls));
        checkCell(surface, call, await played);
      });
    });
  });
}

function checkCell(surface: Surface, { id, isOffered }: WorldCall, { tools, results, events }: Played): void {
  expect(results).toHaveLength(OPERATION_IDS.length);
  const { text, data, files = 0 } = results[OPERATION_IDS.indexOf(id)] as Played["results"][number];
  expect({ isOffered: tools.some((name) => isNamed(name, id)) }).toEqual({ isOffered });
  const { event, stateless, ...lasting } = CASES[id];
  const recorded = expect.arrayContaining([expect.objectContaining(event)]);
  if (!isOffered) {
    expect(text).toMatch(surface.refusal);
    expect(events).not.toEqual(recorded);
    return;
  }
  const forgotten = surface.isStateless ? stateless : undefined;
  const expected = forgotten ?? lasting;
  expect(text).toMatch(expected.text);
  // Only a script's result has the files that were written, and only where no later call can read them.
  expect(files).toBe(id === "run_skill_script" && surface.isStateless ? 1 : 0);
  if (surface.isStructured) expect(data).toMatchObject(expected.data);
  if (forgotten === undefined) expect(events).toEqual(recorded);
  else expect(events).not.toEqual(recorded);
}

/** Agents and the chat add a prefix to the names of tools. */
function isNamed(tool: string, id: OperationId): boolean {
  return tool === id || tool.endsWith(`__${id}`);
}

function worldIn(folder: string, hasScripts: boolean, calls: readonly WorldCall[]): World {
  const events: LedgerEntry[] = [];
  return {
    folder,
    scripts: hasScripts ? { runner: "subprocess", consent: () => "always" } : undefined,
    events,
    telemetry: { follow: (_operation, work) => work(), record: (entry) => void events.push(entry) },
    calls,
  };
}
