import { LIMITS } from "../../core/base/limits.ts";
import { untilAborted } from "../../core/base/until-aborted.ts";
import type { ResultSlot } from "../../core/tool/result-slot.ts";
import type { AgentSession } from "../bridge/agent-session.ts";
import { within } from "../link/deadline.ts";

interface TurnOptions {
  /** Where the agent returns its result. */
  readonly slot: ResultSlot | undefined;
  readonly signal: AbortSignal;
}

/** Sends a prompt and waits for the agent to end its turn. Once there is a result, it waits only briefly. */
export async function takeTurn(session: AgentSession, prompt: string, { slot, signal }: TurnOptions): Promise<string> {
  const turn = session.prompt(prompt);
  turn.catch(() => {});
  // With the result accepted, the remaining output does not matter.
  const cancel = async () => (slot?.value === undefined ? session.endTurn(turn) : session.cancel());
  try {
    const settled = slot?.settled.then(() => undefined) ?? new Promise<undefined>(() => {});
    const ended = await untilAborted(signal, Promise.race([turn, settled]));
    if (ended !== undefined) return ended;
    // The agent has returned its result and may send some final text.
    const patience = slot?.failure === undefined ? LIMITS.agent.lastWordsTime : 0;
    const late = await within(patience, untilAborted(signal, turn));
    if (late === undefined) await cancel();
    return late ?? "end_turn";
  } catch (error) {
    if (signal.aborted) await cancel();
    // An accepted result counts, even if the agent fails afterwards.
    if (slot?.value !== undefined) return "end_turn";
    throw error;
  }
}
