import type { BridgeTransport } from "../../agents/agent-definition.ts";
import type { ScriptResult } from "../../core/script/script.ts";
import type { ToolReport } from "./tool-report.ts";

/** An event of a run, emitted as it happens. Switch on `type`. */
export type ThinkEvent =
  | { readonly type: "thought"; readonly text: string }
  | { readonly type: "message"; readonly text: string }
  | (ToolReport & { readonly type: "tool-started" | "tool-updated"; readonly input?: unknown })
  | (ToolReport & {
      readonly type: "tool-done";
      readonly outcome: "succeeded" | "failed";
      /** The texts of `contents`, as one text. */
      readonly text: string;
    })
  | { readonly type: "plan"; readonly entries: readonly PlanStep[] }
  | { readonly type: "skill-activated"; readonly skill: string; readonly tokens: number }
  | { readonly type: "skill-file-read"; readonly skill: string; readonly path: string; readonly bytes: number }
  | {
      readonly type: "skill-tool-called";
      readonly skill: string;
      readonly tool: string;
      readonly outcome: "succeeded" | "failed";
    }
  | {
      readonly type: "skill-script-run";
      readonly skill: string;
      readonly script: string;
      readonly outcome: ScriptResult["outcome"];
      readonly exitCode: number | undefined;
    }
  | {
      /** How skills, tools and the result reach the agent in this run. */
      readonly type: "bridge-chosen";
      readonly bridge: BridgeKind;
      /** The transports that failed before this one. */
      readonly failed: readonly BridgeKind[];
      /** Skills in code that do not fit into the prompt of an agent that can only read files. */
      readonly unreachable: readonly string[];
    }
  | {
      readonly type: "permission-decided";
      readonly title: string;
      readonly kind: string;
      readonly allowed: boolean;
      /** Why an active skill does not allow it. */
      readonly reason?: string;
    }
  | { readonly type: "result-refused"; readonly issues: readonly string[]; readonly attemptsLeft: number }
  /** The oldest events were dropped because they were not consumed in time. */
  | { readonly type: "events-dropped"; readonly count: number };

/**
 * How skills and tools reach the agent.
 *
 * - `http`, `stdio`: the agent calls our tools over MCP.
 * - `file-read`: the agent reads the files of stored skills itself.
 * - `inject`: the prompt contains the instructions of all skills.
 * - `announced`: the agent announces tool calls, and this library runs them.
 */
export type BridgeKind = BridgeTransport | "file-read" | "inject" | "announced";

/** A step of the agent's plan. */
export interface PlanStep {
  /** The description of the step. */
  readonly content: string;
  /** The progress of the step. */
  readonly status: "pending" | "in_progress" | "completed";
  /** The importance of the step. */
  readonly priority: "high" | "medium" | "low";
}

/** The type of an event. */
export type ThinkEventType = ThinkEvent["type"];

/** Every event type; an incomplete list does not compile. */
export const THINK_EVENT_TYPES = Object.keys({
  thought: true,
  message: true,
  "tool-started": true,
  "tool-updated": true,
  "tool-done": true,
  plan: true,
  "skill-activated": true,
  "skill-file-read": true,
  "skill-tool-called": true,
  "skill-script-run": true,
  "bridge-chosen": true,
  "permission-decided": true,
  "result-refused": true,
  "events-dropped": true,
} satisfies Record<ThinkEventType, true>) as readonly ThinkEventType[];
