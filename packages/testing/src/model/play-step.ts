import { estimateTokens } from "skillset";
import { findTool, type OfferedTool } from "../wire/find-tool.ts";
import type { ReceivedRequest } from "../wire/model-request.ts";
import { type Answer, type AnswerCall, newId, type Wire } from "../wire/wire.ts";
import { resolveStep, type ScriptFault, type ScriptReply, type ScriptStep, type ToolCall } from "./script.ts";

/** How to answer a request. */
export type Played =
  | { readonly outcome: "answer"; readonly answer: Answer; readonly fault?: ScriptFault }
  | { readonly outcome: "fail"; readonly status: number; readonly message: string }
  | { readonly outcome: "garbage"; readonly text: string }
  | { readonly outcome: "hang" };

/** Returns the model's answer at a step; after the last one it says that the script is over. */
export async function playStep(
  script: readonly ScriptStep[],
  index: number,
  request: ReceivedRequest,
  wire: Wire,
  tools: readonly OfferedTool[],
): Promise<Played> {
  const step = script[index];
  if (step === undefined) return { outcome: "answer", answer: toAnswer(wire, request, SCRIPT_OVER) };
  let reply: ScriptReply;
  try {
    reply = await resolveStep(step, index, request);
  } catch (error) {
    return faulty(wire, request, { code: "step-invalid", step: index, message: (error as Error).message });
  }
  if ("fail" in reply) return { outcome: "fail", ...reply.fail };
  if ("hang" in reply) return { outcome: "hang" };
  if ("garbage" in reply) return { outcome: "garbage", text: reply.garbage };
  const calls = "calls" in reply ? reply.calls : "call" in reply ? [reply] : [];
  const found = findCalls(calls, tools, index, wire);
  if ("fault" in found) return faulty(wire, request, found.fault);
  const answer = toAnswer(wire, request, reply.say ?? "", found.calls);
  return { outcome: "answer", answer: "finish" in reply ? { ...answer, finish: reply.finish } : answer };
}

/** Returns an answer with ids and a plausible token count. */
export function toAnswer(
  wire: Wire,
  request: ReceivedRequest,
  text: string,
  calls: readonly AnswerCall[] = [],
): Answer {
  const output = estimateTokens(text + calls.map(({ input }) => JSON.stringify(input)).join(""));
  return {
    id: newId(wire.prefixes.answer),
    model: request.model,
    text,
    calls,
    usage: { input: estimateTokens(JSON.stringify(request.body)), output: Math.max(output, 1) },
    body: request.body,
  };
}

const SCRIPT_OVER = "The script is over.";

/** The model sends the fault to the agent, so that the agent ends its turn and the test can fail with the reason. */
function faulty(wire: Wire, request: ReceivedRequest, fault: ScriptFault): Played {
  return { outcome: "answer", answer: toAnswer(wire, request, fault.message), fault };
}

function findCalls(
  calls: readonly ToolCall[],
  tools: readonly OfferedTool[],
  step: number,
  wire: Wire,
): { readonly calls: readonly AnswerCall[] } | { readonly fault: ScriptFault } {
  const found: AnswerCall[] = [];
  for (const { call, input = {}, unlisted = false } of calls) {
    const match = findTool(tools, call);
    if (match.outcome === "not-offered" && unlisted) {
      found.push({ id: newId(wire.prefixes.call), tool: { name: call, wireName: call }, input });
      continue;
    }
    if (match.outcome === "not-offered") {
      const offered = tools.map(({ name }) => name).join(", ") || "none";
      const message = `Step ${step} of the script calls '${call}', which is not offered. Offered tools: ${offered}.`;
      return { fault: { code: "tool-not-offered", step, message } };
    }
    if (match.outcome === "ambiguous") {
      const message = `Step ${step} of the script calls '${call}', which may be any of: ${match.names.join(", ")}.`;
      return { fault: { code: "tool-ambiguous", step, message } };
    }
    found.push({ id: newId(wire.prefixes.call), tool: match.tool, input });
  }
  return { calls: found };
}
