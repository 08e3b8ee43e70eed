import type { Session } from "../../core/session.ts";
import type { RunListener } from "../options/run-listener.ts";

/** Reports what a run does with skills, until the returned function is called. */
export function followSkills(session: Session, { emit, record }: RunListener): () => void {
  const stops = [
    session.on("*", record),
    session.on("skill-activated", ({ skill, tokens }) => emit({ type: "skill-activated", skill, tokens })),
    session.on("file-read", ({ skill, path, bytes }) => emit({ type: "skill-file-read", skill, path, bytes })),
    session.on("tool-called", ({ skill, tool, outcome }) => emit({ type: "skill-tool-called", skill, tool, outcome })),
    session.on("script-run", ({ skill, script, outcome, exitCode }) =>
      emit({ type: "skill-script-run", skill, script, outcome, exitCode }),
    ),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
