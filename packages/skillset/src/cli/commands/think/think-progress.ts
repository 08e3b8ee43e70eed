import type { PlanStep, ThinkEvent } from "../../../acp/options/think-event.ts";
import { counted } from "../../terminal/printable.ts";
import { type ProgressLine, short } from "./progress-line.ts";
import type { Permissions } from "./think-permissions.ts";
import { ToolLines } from "./tool-lines.ts";

/** The progress of a run, in lines. */
export class ThinkProgress {
  readonly #permissions: Permissions;
  readonly #tools = new ToolLines();

  constructor(permissions: Permissions) {
    this.#permissions = permissions;
  }

  /** The lines for an event; none if the event is not shown. */
  linesFor(event: ThinkEvent): readonly ProgressLine[] {
    if (event.type === "tool-started" || event.type === "tool-updated" || event.type === "tool-done")
      return this.#tools.linesFor(event);
    const line = lineFor(event, this.#permissions);
    return line === undefined ? [] : [line];
  }
}

function lineFor(event: ThinkEvent, permissions: Permissions): ProgressLine | undefined {
  switch (event.type) {
    case "bridge-chosen": {
      const failed = event.failed.length === 0 ? "" : `, after ${event.failed.join(" and ")} did not work`;
      return { label: "Bridge", text: `${event.bridge}${failed}` };
    }
    case "skill-activated":
      return { label: "Skill", text: `${short(event.skill)} (${counted(event.tokens, "token")})` };
    case "skill-file-read":
      return { label: "File", text: `${short(`${event.skill}/${event.path}`)} (${counted(event.bytes, "byte")})` };
    case "skill-tool-called":
      return { label: "Tool of a skill", text: `${short(`${event.skill}/${event.tool}`)} ${event.outcome}` };
    case "skill-script-run": {
      const { skill, script, outcome, exitCode } = event;
      return {
        label: "Script",
        text: `${short(`${skill}/${script}`)} ${outcome}${exitCode ? ` with ${exitCode}` : ""}`,
      };
    }
    case "plan":
      return event.entries.length === 0 ? undefined : { label: "Plan", text: stateOf(event.entries) };
    case "permission-decided":
      return event.allowed
        ? { label: "Allowed", text: `${short(event.title)} (${event.kind})` }
        : { label: "Refused", text: refusal(event, permissions), isWarning: true };
    case "result-refused": {
      const left = counted(event.attemptsLeft, "attempt");
      return { label: "Result refused", text: `${short(event.issues.join("; "))} (${left} left)` };
    }
    default:
      return undefined;
  }
}

function refusal(
  { title, kind }: { readonly title: string; readonly kind: string },
  { allowed, isAsking }: Permissions,
): string {
  const what = `${short(title)} (${kind})`;
  if (allowed.has(kind)) return `${what}: the agent offers no way to allow it only once.`;
  return isAsking ? what : `${what}: '--allow ${kind}' would allow it.`;
}

function stateOf(entries: readonly PlanStep[]): string {
  const done = entries.filter(({ status }) => status === "completed").length;
  const current = entries.find(({ status }) => status === "in_progress");
  return `${done} of ${entries.length} done${current === undefined ? "" : `; now ${short(current.content)}`}`;
}
