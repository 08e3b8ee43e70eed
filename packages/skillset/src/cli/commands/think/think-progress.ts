import type { PlanStep, ThinkEvent } from "../../../acp/options/think-event.ts";
import { clip, counted, printable } from "../../terminal/printable.ts";
import type { Permissions } from "./think-permissions.ts";

/** One line about an agent's progress. */
export interface ProgressLine {
  readonly label: string;
  readonly text: string;
  /** Printed even if progress is not shown. */
  readonly isWarning?: boolean;
}

/** The line for an event; undefined if the event is not shown. */
export function progressOf(event: ThinkEvent, permissions: Permissions): ProgressLine | undefined {
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
    case "tool-started":
      return event.title === "" ? undefined : { label: "Tool", text: short(event.title) };
    case "tool-done":
      return event.outcome === "failed" ? { label: "Tool failed", text: why(event.title, event.text) } : undefined;
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

function why(title: string, text: string): string {
  return text.trim() === "" ? short(title) : `${short(title)}: ${short(text.trim())}`;
}

function short(text: string): string {
  return clip(printable(text.slice(0, 500)), 100);
}
