/** What happens in a run, as it happens. Switch on `type`. */
export type ThinkEvent =
  | { readonly type: "thought"; readonly text: string }
  | { readonly type: "message"; readonly text: string }
  | { readonly type: "tool-started"; readonly id: string; readonly title: string; readonly input?: unknown }
  | { readonly type: "tool-updated"; readonly id: string; readonly title: string; readonly input?: unknown }
  | {
      readonly type: "tool-done";
      readonly id: string;
      readonly title: string;
      readonly outcome: "succeeded" | "failed";
      readonly text: string;
    }
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
      /** How skills, tools and the result reach the agent in this run. */
      readonly type: "bridge-chosen";
      readonly bridge: BridgeKind;
      /** What was tried before it. */
      readonly failed: readonly BridgeKind[];
      /** Skills that the agent has no way to load: those in code, when it only reads files. */
      readonly unreachable: readonly string[];
    }
  | { readonly type: "permission-decided"; readonly title: string; readonly kind: string; readonly allowed: boolean }
  | { readonly type: "result-refused"; readonly issues: readonly string[]; readonly attemptsLeft: number }
  /** Nobody took the events for so long that the oldest were given up. */
  | { readonly type: "events-dropped"; readonly count: number };

/**
 * - `http`, `stdio`: the agent calls our tools over MCP.
 * - `file-read`: it reads the files of stored skills by itself.
 * - `inject`: the instructions of all skills are in the prompt.
 * - `announced`: it says which tools it wants called, and they are called here.
 */
export type BridgeKind = "http" | "stdio" | "file-read" | "inject" | "announced";

export interface PlanStep {
  readonly content: string;
  readonly status: "pending" | "in_progress" | "completed";
  readonly priority: "high" | "medium" | "low";
}

export type ThinkEventType = ThinkEvent["type"];

/** Every type of event; the compiler refuses a list that is not complete. */
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
  "bridge-chosen": true,
  "permission-decided": true,
  "result-refused": true,
  "events-dropped": true,
} satisfies Record<ThinkEventType, true>) as readonly ThinkEventType[];
