import {
  compactWith,
  type MessageShape,
  type ModelTool,
  type SentMessage,
  type TurnMessage,
  type TurnStep,
  toModelTools,
} from "../../packages/skillset/src/adapter/index.ts";
import type { Turn } from "../../packages/skillset/src/index.ts";
import type { ContractAdapter } from "../../packages/testing/src/index.ts";

/** `session.turn()` without an SDK. Besides what the model reads, each request has all that a turn returns. */
export const rawTurn: ContractAdapter = {
  name: "session.turn()",
  lacks: { files: "the loop below has no files", "data-files": "the loop below has no files" },
  start: async ({ skills, modelUrl, session: sessionOptions, instructions: own, system, tools = [], ...options }) => {
    const session = await skills.session(sessionOptions);
    const host = toModelTools(session, tools);
    const taken = tools.map(({ name }) => name);
    let history: readonly TurnMessage[] = [];
    return {
      session,
      say: async (text, { signal, history: kept } = {}) => {
        if (kept === "drop") history = [];
        else if (kept !== undefined)
          ({ messages: history } = await compactWith(session, history, { budget: kept }, SHAPE));
        const asked: readonly TurnMessage[] = [...history, { role: "user", text }];
        const turn = await session.turn(asked, { ...options, taken, ...(signal && { signal }) });
        const start = turn.messages.map(asTurnMessage);
        const added: TurnMessage[] = [];
        for (;;) {
          const step = await turn.step([...start, ...added]);
          const instructions = [own, system, turn.instructions].filter(Boolean).join("\n\n");
          const answer = await post(modelUrl, requestOf(instructions, turn, step, host), signal);
          added.push(answer);
          for (const { id, name, input } of answer.calls ?? []) {
            const tool = [...host, ...turn.tools].find((one) => one.name === name && one.isAvailable());
            const result = await tool?.execute(JSON.parse(String(input)), signal && { signal });
            const said = result?.text ?? "There is no such function.";
            added.push({ role: "tool", text: said, results: [{ id, text: said }] });
          }
          if (answer.calls !== undefined) continue;
          history = [...asked, ...added];
          return answer.text;
        }
      },
      close: async () => {},
    };
  },
};

const SHAPE: MessageShape<TurnMessage> = {
  read: (message) => message,
  mapText: (message, change) => ({ ...message, text: change(message.text) }),
  replaceText: (message, texts) => ({ ...message, text: texts.join("\n\n") }),
  replaceResults: (message, replaced) => asTurnMessage({ ...message, replaced }),
  write: (text) => ({ role: "user", text }),
};

function asTurnMessage({ texts: _, replaced, ...message }: SentMessage): TurnMessage {
  if (replaced === undefined || message.results === undefined) return message;
  const results = message.results.map((result) => ({ ...result, text: replaced.get(result.id) ?? result.text }));
  return { ...message, text: results.map(({ text }) => text).join("\n"), results };
}

/** The wire of Chat Completions, with the fields of the turn and its step. */
function requestOf(instructions: string, turn: Turn, step: TurnStep, host: readonly ModelTool[]) {
  return {
    messages: [{ role: "system", content: instructions }, ...step.messages.flatMap(toWire)],
    tools: [...host, ...step.tools].map(({ name, description, inputSchema: parameters, ...tool }) => ({
      type: "function",
      function: { name, description, parameters },
      ...JSON.parse(JSON.stringify(tool)),
    })),
    "turn.catalog": turn.catalog,
    "turn.invoked": turn.invoked,
    "turn.messages": turn.messages.map(marksOf),
    "turn.tools": turn.tools.map(({ name }) => name),
    "step.messages": step.messages.map(marksOf),
  };
}

function marksOf({ role, texts, replaced }: SentMessage) {
  return { role, ...(texts && { texts }), ...(replaced && { replaced: [...replaced] }) };
}

function toWire(message: SentMessage) {
  const { role, text, calls, results } = asTurnMessage(message);
  if (results !== undefined) return results.map(({ id, text: content }) => ({ role, tool_call_id: id, content }));
  if (calls === undefined) return [{ role, content: text }];
  const tool_calls = calls.map(({ id, name, input }) => ({
    id,
    type: "function",
    function: { name, arguments: input },
  }));
  return [{ role, content: text, tool_calls }];
}

async function post(url: string, body: object, signal: AbortSignal | undefined): Promise<TurnMessage> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
  const { choices } = (await response.json()) as { readonly choices: readonly { readonly message: WireAnswer }[] };
  const { content, tool_calls } = choices[0]?.message ?? {};
  const calls = tool_calls?.map(({ id, function: { name, arguments: input } }) => ({ id, name, input }));
  return { role: "assistant", text: content ?? "", ...(calls && { calls }) };
}

interface WireAnswer {
  readonly content?: string | null;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
}
