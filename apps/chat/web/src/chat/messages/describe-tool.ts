import { type DynamicToolUIPart, getToolName, type ToolUIPart } from "ai";
import type { OperationResult } from "skillset/adapter";
import type { ChatTools, Denial } from "../../../../shared/api.ts";
import type { IconName } from "../../ui/icon.tsx";

export type ToolPart = ToolUIPart<ChatTools> | DynamicToolUIPart;

export interface ToolDescription {
  readonly icon: IconName;
  /** The display name of the operation. */
  readonly title: string;
  /** The skill or file that the call is about. */
  readonly subject: string;
  readonly state: "running" | "done" | "failed" | "denied";
  /** The rule that denied the call. */
  readonly denied?: Denial | undefined;
  /** Why the skill was activated, if neither a model nor the user named it. */
  readonly cause?: string | undefined;
  readonly isTruncated: boolean;
  /** The skill has changed since the call. */
  readonly isChanged: boolean;
  /** The result, or the error message. */
  readonly body: string;
  readonly isMarkdown: boolean;
  /** Short files start expanded. */
  readonly isOpen: boolean;
}

const LONG = 800;

/** Converts a tool part, in any state, to the contents of its card. */
export function describeTool(part: ToolPart, isAnswerEnded: boolean): ToolDescription {
  const tool = getToolName(part);
  const input = asRecord(part.input);
  const outcome = outcomeOf(part, isAnswerEnded);
  const { body } = outcome;
  switch (tool) {
    case "skills_activate":
      return {
        ...outcome,
        icon: "layers",
        title: "skills.activate",
        subject: textOf(input.name),
        cause: causeOf(asRecord(input.trigger)),
        isMarkdown: true,
        isOpen: false,
      };
    case "skills_read_resource": {
      const subject = [textOf(input.name), textOf(input.path)].filter(Boolean).join(" / ");
      const isOpen = outcome.state !== "running" && body.length <= LONG;
      return { ...outcome, icon: "file", title: "skills.readResource", subject, isMarkdown: false, isOpen };
    }
    case "skills_search": {
      const isOpen = outcome.state === "done";
      return {
        ...outcome,
        icon: "search",
        title: "skills.search",
        subject: textOf(input.query),
        isMarkdown: true,
        isOpen,
      };
    }
    default: {
      const [skill, name] = splitName(tool);
      return {
        ...outcome,
        icon: "tool",
        title: name,
        subject: skill,
        isMarkdown: false,
        isOpen: outcome.state === "failed" || outcome.state === "denied",
      };
    }
  }
}

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

function asResult(output: unknown): OperationResult {
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
