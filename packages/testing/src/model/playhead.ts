import type { ModelMessage } from "../wire/model-request.ts";
import type { Answer, WireReading } from "../wire/wire.ts";
import { leavesNoTrace, type ScriptStep } from "./script.ts";

/** Finds the next step. */
export interface Playhead {
  /** Returns the index of the step for a request; past the last one if the script is over. */
  next(reading: WireReading): number;
  /** Remembers what was sent, so that the next request shows how far its conversation is. */
  sent(step: number, answer: Answer): void;
}

/** Keeps one position in the script for all requests. */
export function globalPlayhead(): Playhead {
  let position = 0;
  return { next: () => position++, sent: () => {} };
}

/**
 * Finds a position in the script for each conversation, in the request itself: the step after the last one whose calls or
 * text the history contains. Messages that the agent added to the history, or dropped from its start, are ignored.
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

/** A failed request is in no history, so its conversation is recognised by how it begins. */
function beginsWith(messages: readonly ModelMessage[], begin: readonly ModelMessage[]): boolean {
  return begin.every(({ role, text }, index) => messages[index]?.role === role && messages[index].text === text);
}

/** If a text occurs twice, the first step that was not seen yet is meant. */
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
