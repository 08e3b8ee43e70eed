import { type DynamicToolUIPart, getToolName, type ToolUIPart } from "ai";
import type { OperationResult } from "skillset/adapter";
import type { ChatTools, Denial } from "../../../../shared/api.ts";
import type { IconName } from "../../ui/icon.tsx";

export type ToolPart = ToolUIPart<ChatTools> | DynamicToolUIPart;

export type CallState = "running" | "done" | "failed" | "denied";

export interface ToolDescription {
  readonly icon: IconName;
  /** The skill that the call is about; empty if there is none. */
  readonly owner: string;
  /** What was done, for people: "Used", "Could not read". */
  readonly verb: string;
  /** What it was done with: a skill, a file, words. */
  readonly object: string;
  /** The skill, if the object does not name it. */
  readonly skill: string;
  readonly state: CallState;
  /** The rule that denied the call. */
  readonly denied?: Denial | undefined;
  /** Why the skill was activated, if neither a model nor the user named it. */
  readonly cause?: string | undefined;
  /** What the instructions added to the conversation; undefined for other calls. */
  readonly tokens?: number | undefined;
  readonly isTruncated: boolean;
  /** The skill has changed since the call. */
  readonly isChanged: boolean;
  /** The result, or the error message. */
  readonly body: string;
  readonly isMarkdown: boolean;
  /** The file that was read, if it is not text. */
  readonly file?: ReadFile | undefined;
  /** Short files start expanded. */
  readonly isOpen: boolean;
}

/** A file of a skill, or of a script's output, that a model read. */
export interface ReadFile {
  readonly skill: string;
  readonly path: string;
  readonly size?: number | undefined;
  /** It no longer exists, or its skill is not available. */
  readonly isMissing: boolean;
}

const LONG = 800;

/** Converts a tool part, in any state, to the contents of its card. */
export function describeTool(part: ToolPart, isAnswerEnded: boolean): ToolDescription {
  const tool = getToolName(part);
  const input = asRecord(part.input);
  const outcome = outcomeOf(part, isAnswerEnded);
  const { body } = outcome;
  const skill = textOf(input.name);
  switch (tool) {
    case "skills_activate":
      return {
        ...outcome,
        icon: "skill",
        verb: VERBS.use[outcome.state],
        owner: skill,
        object: skill,
        skill: "",
        cause: causeOf(asRecord(input.trigger)),
        tokens: addedTokens(part),
        isMarkdown: true,
        isOpen: false,
      };
    case "skills_read_resource": {
      const path = textOf(input.path);
      return {
        ...outcome,
        icon: "file",
        verb: VERBS.read[outcome.state],
        owner: skill,
        object: path,
        skill,
        isMarkdown: false,
        file: fileIn(part, skill, path),
        isOpen: outcome.state !== "running" && body.length <= LONG,
      };
    }
    case "skills_search": {
      const query = textOf(input.query);
      return {
        ...outcome,
        icon: "search",
        verb: VERBS.search[outcome.state],
        owner: "",
        object: query,
        skill: "",
        isMarkdown: true,
        isOpen: outcome.state === "done",
      };
    }
    default: {
      const [owner, name] = splitName(tool);
      return {
        ...outcome,
        icon: "tool",
        verb: VERBS.call[outcome.state],
        owner,
        object: name,
        skill: owner,
        isMarkdown: false,
        isOpen: outcome.state === "failed" || outcome.state === "denied",
      };
    }
  }
}

type Verbs = Readonly<Record<CallState, string>>;

const VERBS = {
  use: { running: "Loading", done: "Used", failed: "Could not use", denied: "May not use" },
  read: { running: "Reading", done: "Read", failed: "Could not read", denied: "May not read" },
  search: {
    running: "Searching skills for",
    done: "Searched skills for",
    failed: "Could not search skills for",
    denied: "May not search skills for",
  },
  call: { running: "Calling", done: "Called", failed: "Called", denied: "May not call" },
} as const satisfies Readonly<Record<string, Verbs>>;

type Outcome = Pick<ToolDescription, "state" | "denied" | "isTruncated" | "isChanged" | "body">;

/** The state of a call, and its text. */
export function outcomeOf(part: ToolPart, isAnswerEnded: boolean): Outcome {
  const nothing = { isTruncated: false, isChanged: false, body: "" };
  if (part.state === "output-error") return { ...nothing, state: "failed", body: part.errorText };
  if (part.state === "output-denied") return { ...nothing, state: "failed", body: "The call was not allowed." };
  if (part.state !== "output-available") {
    if (!isAnswerEnded) return { ...nothing, state: "running" };
    return { ...nothing, state: "failed", body: "The answer ended before this call finished." };
  }
  const result = asResult(part.output);
  const denied = denialIn(part.output);
  if (result.isError && denied !== undefined) return { ...nothing, state: "denied", denied, body: result.text };
  if (result.isError) return { ...nothing, state: "failed", body: result.text };
  const { truncated, changed, body, content } = result.data;
  const text = textOf(body) || textOf(content) || result.text;
  return {
    state: "done",
    isTruncated: truncated === true,
    isChanged: changed === true,
    body: text,
  };
}

/** Returns the tokens of an activation. If the conversation had the instructions already, they were not added again. */
function addedTokens(part: ToolPart): number | undefined {
  if (part.state !== "output-available") return undefined;
  const { tokens, alreadyActive } = asRecord(asRecord(part.output).data);
  return typeof tokens === "number" && alreadyActive !== true ? tokens : undefined;
}

/** Returns the file of a result, also if the model could not be given it. */
function fileIn(part: ToolPart, skill: string, path: string): ReadFile | undefined {
  if (part.state !== "output-available") return undefined;
  const { files, data, code } = asRecord(part.output);
  const [file] = Array.isArray(files) ? files : [];
  if (file === undefined && !NOT_SENT.has(textOf(code))) return undefined;
  const { bytes } = asRecord(file);
  const size = typeof bytes === "number" ? bytes : undefined;
  return { skill, path, size, isMissing: asRecord(data).missing === true };
}

const NOT_SENT: ReadonlySet<string> = new Set(["resource-not-text", "resource-too-large"]);

function asResult(output: unknown): OperationResult<Readonly<Record<string, unknown>>> {
  const { isError, text, data, code } = asRecord(output);
  if (isError === true) return { isError: true, text: textOf(text) || "The call failed.", code: textOf(code) };
  if (isError === false) return { isError: false, text: textOf(text), data: asRecord(data) };
  return { isError: false, text: typeof output === "string" ? output : JSON.stringify(output, null, 2), data: {} };
}

/** Returns the rule that denied a call. */
function denialIn(output: unknown): Denial | undefined {
  const { skill, field, token } = asRecord(asRecord(output).denied);
  if (field !== "allowed-tools" && field !== "disallowed-tools") return undefined;
  return { skill: textOf(skill), field, token: textOf(token) };
}

/** "The message matches the keyword 'tea'." */
function causeOf({ kind, trigger }: Readonly<Record<string, unknown>>): string | undefined {
  return kind === undefined ? undefined : `The message matches the ${textOf(kind)} '${textOf(trigger)}'.`;
}

/** Splits `SKILL__TOOL`; the skill is empty for other names. */
function splitName(tool: string): [skill: string, name: string] {
  const at = tool.indexOf("__");
  return at < 0 ? ["", tool] : [tool.slice(0, at), tool.slice(at + 2)];
}

export function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
