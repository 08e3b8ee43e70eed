import type { Message, MessageCreateParamsNonStreaming } from "@anthropic-ai/sdk/resources/messages";
import type { RunMessagesOptions } from "./run-messages.ts";

/**
 * Sends a request and returns the whole answer. It is always streamed: the SDK refuses other requests whose answer may take
 * more than ten minutes, which it guesses from `max_tokens`.
 */
export async function streamMessage(
  { client, onEvent, signal }: Pick<RunMessagesOptions, "client" | "onEvent" | "signal">,
  body: MessageCreateParamsNonStreaming,
): Promise<Message> {
  const stream = client.messages.stream(body, signal && { signal });
  let whole: Promise<Message> | undefined;
  stream.on("connect", () => {
    const { response } = stream;
    if (response?.headers.get("content-type")?.includes("json")) whole = response.clone().json() as Promise<Message>;
    whole?.catch(() => {});
  });
  let last: Partial<Message> = {};
  try {
    for await (const event of stream) {
      // Older versions of the SDK drop these two.
      if (event.type === "message_delta") last = pick(event.delta);
      await onEvent?.(event);
    }
    return { ...(await stream.finalMessage()), ...last };
  } catch (error) {
    // Gateways report errors with status 200 and in one piece. Some cannot stream, and send the answer so.
    if (whole === undefined) throw error;
    return whole.catch(() => {
      throw error;
    });
  }
}

function pick({ container, stop_details }: Partial<Message>): Partial<Message> {
  return { ...(container && { container }), ...(stop_details && { stop_details }) };
}
