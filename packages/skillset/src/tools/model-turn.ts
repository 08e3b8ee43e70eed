import type { Session } from "../core/session.ts";
import { prepareTurn, type Turn, type TurnMessage, type TurnOptions } from "../core/turn.ts";
import { createModelTools, type ModelTool, rulesForModelTools } from "./model-tools.ts";
import type { OperationOptions } from "./operations.ts";

export interface ModelTurnOptions extends Pick<TurnOptions, "catalog" | "mode" | "inject" | "signal"> {
  /** Which operations the model has, under which names. */
  readonly operations?: OperationOptions;
}

/** What a request to a model that takes functions needs of a session's skills. */
export interface ModelTurn extends Turn {
  /** What belongs behind the instructions of the host. */
  readonly texts: readonly string[];
  readonly tools: readonly ModelTool[];
}

/** Prepares a request; `taken` are the names of the host's own functions. */
export async function prepareModelTurn(
  session: Session,
  messages: readonly TurnMessage[],
  { operations, ...options }: ModelTurnOptions,
  taken: readonly string[],
): Promise<ModelTurn> {
  const turn = await prepareTurn(session, messages, { ...options, ...rulesForModelTools(session, operations) });
  const tools = options.mode === "inject" ? [] : createModelTools(session, operations, taken);
  return { ...turn, tools, texts: [turn.prompt, turn.notice].filter((text) => text !== "") };
}
