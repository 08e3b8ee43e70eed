import type { ToolKind } from "./tool-kinds.ts";

/** What an agent has reported about one of its tool calls so far. */
export interface ToolReport {
  /** The agent's ID of the call. */
  readonly id: string;
  /** The agent's description of the call. */
  readonly title: string;
  /** The kind of action; `other` if the agent reports none. */
  readonly kind: ToolKind;
  /** The files that the call works on. */
  readonly locations: readonly ToolLocation[];
  /** What the call has produced. */
  readonly contents: readonly ToolContent[];
}

/** A place in a file. */
export interface ToolLocation {
  /** The path, as the agent reports it; ACP requires an absolute one. */
  readonly path: string;
  /** The line, if the agent reports one. */
  readonly line?: number;
}

/**
 * One piece of what a tool call has produced. If `truncated` is true, it exceeded a limit: a text was cut, and `data` is
 * empty.
 */
export type ToolContent =
  | { readonly type: "text"; readonly text: string; readonly truncated: boolean }
  | {
      /** A change of a file. */
      readonly type: "diff";
      readonly path: string;
      /** Undefined for a new file. */
      readonly oldText: string | undefined;
      readonly newText: string;
      readonly truncated: boolean;
    }
  | {
      readonly type: "terminal";
      readonly id: string;
      /** The output so far, or its end if it is long. Empty if the agent does not send it. */
      readonly output: string;
      readonly truncated: boolean;
    }
  | {
      readonly type: "image" | "audio";
      readonly mimeType: string;
      /** Base64. */
      readonly data: string;
      readonly truncated: boolean;
    }
  | {
      /** A reference to something that the agent did not send. */
      readonly type: "link";
      readonly uri: string;
      readonly name: string;
      readonly mimeType: string | undefined;
    }
  | {
      /** A file or other resource as text. */
      readonly type: "resource";
      readonly uri: string;
      readonly mimeType: string | undefined;
      readonly text: string;
      readonly truncated: boolean;
    }
  | {
      /** A binary file or other resource. */
      readonly type: "blob";
      readonly uri: string;
      readonly mimeType: string | undefined;
      /** Base64. */
      readonly data: string;
      readonly truncated: boolean;
    };
