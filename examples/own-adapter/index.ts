// #region program
import { test } from "node:test";
import { adapterContract, type ContractAdapter, type ContractSetup } from "@skillset/testing";
import type { Session } from "skillset";
import type { TurnMessage, TurnOptions } from "skillset/adapter";

/** A message of the API: any endpoint with `/v1/chat/completions`. */
interface Message {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string | null;
  readonly tool_calls?: readonly { readonly id: string; readonly function: { name: string; arguments: string } }[];
  readonly tool_call_id?: string;
}
interface Request extends TurnOptions {
  readonly url: string;
  readonly messages: readonly Message[];
  readonly tools?: ContractSetup["tools"];
}

/** With the calls and results, a turn can remove the results of a skill that was disabled. */
const toTurn = ({ role, content, tool_calls: calls = [], tool_call_id: id }: Message): TurnMessage => ({
  role,
  text: content ?? "",
  calls: calls.map(({ id, function: { name, arguments: input } }) => ({ id, name, input })),
  ...(id !== undefined && { results: [{ id, text: content ?? "" }] }),
});
const fromTurn = (messages: readonly Message[], sent: readonly TurnMessage[]): Message[] =>
  messages.map((message, index) => ({ ...message, content: sent[index]?.text || message.content }));

/** Asks the model and runs the tools that it calls, until it answers. Returns the messages to add to the history. */
export async function runMine(session: Session, { url, messages, tools = [], ...options }: Request) {
  const turn = await session.turn(messages.map(toTurn), { ...options, taken: tools.map(({ name }) => name) });
  const [first, ...rest] = fromTurn(messages, turn.messages);
  const host = first?.role === "system" ? [first.content] : [];
  const system = [...host, turn.instructions].filter(Boolean).join("\n\n");
  const start = [...(system === "" ? [] : [{ role: "system" as const, content: system }])];
  start.push(...((host.length > 0 ? rest : [first, ...rest]) as typeof start));
  const added: Message[] = [];
  const signal = options.signal ?? new AbortController().signal;
  for (;;) {
    const step = await turn.step([...start, ...added].map(toTurn)); // restores instructions that were shortened away
    const functions = [...tools, ...step.tools].map(({ name, description, inputSchema }) => ({
      type: "function",
      function: { name, description, parameters: inputSchema },
    }));
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        model: "any",
        messages: fromTurn([...start, ...added], step.messages),
        ...(functions.length > 0 && { tools: functions }),
      }),
      signal,
    });
    if (!response.ok) throw new Error(`The model answered with status ${response.status}.`);
    const { choices } = (await response.json()) as { choices: { message: Message }[] };
    const message = choices[0]?.message;
    if (message === undefined) throw new Error("The model returned no answer.");
    added.push(message);
    if (!message.tool_calls?.length) return { text: message.content ?? "", added };
    const results = message.tool_calls.map(async ({ id, function: { name, arguments: json } }): Promise<Message> => {
      const own = tools.find((tool) => tool.name === name);
      const ours = turn.tools.find((tool) => tool.name === name && tool.isAvailable());
      const input: unknown = JSON.parse(json || "{}");
      const decision = own && session.checkTool(name, input); // active skills may not allow it
      if (decision?.allowed === false) return { role: "tool", tool_call_id: id, content: decision.message };
      const text = own ? String(await own.handler(input, { signal })) : (await ours?.execute(input, { signal }))?.text;
      return { role: "tool", tool_call_id: id, content: text ?? `There is no function '${name}'.` };
    });
    added.push(...(await Promise.all(results)));
    signal.throwIfAborted();
  }
}

const mine: ContractAdapter = {
  name: "mine",
  lacks: {
    compaction: "the host keeps the history",
    "other-system": "the system prompt is the first message",
    files: "results are text", // to send files, pass `takesFile` to `execute`
    "data-files": "results are text",
  },
  start: async ({ skills, modelUrl: url, session: sessionOptions, instructions, ...setup }) => {
    const session = await skills.session(sessionOptions);
    const start: Message[] = instructions === undefined ? [] : [{ role: "system", content: instructions }];
    let messages = start;
    return {
      session,
      say: async (content, { signal, history } = {}) => {
        const asked: Message[] = [...(history === "drop" ? start : messages), { role: "user", content }];
        const { text, added } = await runMine(session, { url, messages: asked, ...setup, signal });
        messages = [...asked, ...added];
        return text;
      },
      close: async () => {},
    };
  },
};

for (const { title, needs, run } of adapterContract) {
  test(title, { skip: (needs && mine.lacks?.[needs]) ?? false }, () => run(mine));
}
// #endregion
