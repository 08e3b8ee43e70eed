import type { ModelMessage } from "../wire/model-request.ts";
import type { Answer, WireReading } from "../wire/wire.ts";
import { leavesNoTrace, type ScriptStep } from "./script.ts";

/** Which step comes next. */
export interface Playhead {
  /** The index of the step for a request; past the last one when the script is over. */
  next(reading: WireReading): number;
  /** Remembers what was sent, so that the next request shows how far its conversation is. */
  sent(step: number, answer: Answer): void;
}

/** One place in the script for all requests. */
export function globalPlayhead(): Playhead {
  let position = 0;
  return { next: () => position++, sent: () => {} };
}

/**
 * A place in the script for every conversation, found in the request itself: the step after the last one whose calls or
 * text the history holds. What the agent added to the history is passed over, and so is what it dropped before that.
 */
export function conversationPlayhead(script: readonly ScriptStep[]): Playhead {
  const stepOfId = new Map<string, number>();
  const stepsOfTrace = new Map<string, Set<number>>();
  const untraced = new Map<number, (readonly ModelMessage[])[]>();

  function lastPlayed(turns: WireReading["turns"]): number {
    let last = -1;
    for (const { ids = [], calls = [], text = "" } of turns) {
      const known = ids.map((id) => stepOfId.get(id)).filter((step) => step !== undefined);
      const traces = [...calls.map(({ name, input }) => callTrace(name, input)), ...textTraces(text)];
      const candidates = traces.flatMap((trace) => [...(stepsOfTrace.get(trace) ?? [])]);
      last = Math.max(last, known[0] ?? firstAfter(last, candidates));
    }
    return last;
  }

  return {
    next(reading) {
      let step = lastPlayed(reading.turns) + 1;
      for (let at = script[step]; at !== undefined && leavesNoTrace(at); at = script[++step]) {
        const played = untraced.get(step) ?? [];
        if (!played.some((begin) => beginsWith(reading.messages, begin))) {
          untraced.set(step, [...played, reading.messages]);
          break;
        }
      }
      return step;
    },
    sent(step, { id, calls, text }) {
      stepOfId.set(id, step);
      for (const call of calls) stepOfId.set(call.id, step);
      for (const trace of [...calls.map(({ tool, input }) => callTrace(tool.wireName, input)), ...textTraces(text)]) {
        stepsOfTrace.set(trace, (stepsOfTrace.get(trace) ?? new Set()).add(step));
      }
    },
  };
}

/** A failed request is in no history: the conversation that it was played in is known by how it begins. */
function beginsWith(messages: readonly ModelMessage[], begin: readonly ModelMessage[]): boolean {
  return begin.every(({ role, text }, index) => messages[index]?.role === role && messages[index].text === text);
}

/** The same text may be said twice: its first step that was not seen yet is meant. */
function firstAfter(last: number, steps: readonly number[]): number {
  const later = steps.filter((step) => step > last);
  return later.length > 0 ? Math.min(...later) : last;
}

function callTrace(name: string, input: unknown): string {
  return `call ${name} ${JSON.stringify(input)}`;
}

function textTraces(text: string): readonly string[] {
  return text.trim() === "" ? [] : [`text ${text.trim()}`];
}
