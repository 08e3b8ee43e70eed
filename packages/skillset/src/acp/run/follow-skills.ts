import type { SessionLedger } from "../../core/session/ledger.ts";
import type { RunListener } from "../options/run-listener.ts";

/** Reports what a run does with skills, until the returned function is called. */
export function followSkills(ledger: SessionLedger, { emit, record }: RunListener): () => void {
  const stops = [
    ledger.on("*", record),
    ledger.on("skill-activated", ({ skill, tokens }) => emit({ type: "skill-activated", skill, tokens })),
    ledger.on("file-read", ({ skill, path, bytes }) => emit({ type: "skill-file-read", skill, path, bytes })),
    ledger.on("tool-called", ({ skill, tool, outcome }) => emit({ type: "skill-tool-called", skill, tool, outcome })),
    ledger.on("script-run", ({ skill, script, outcome, exitCode }) =>
      emit({ type: "skill-script-run", skill, script, outcome, exitCode }),
    ),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
