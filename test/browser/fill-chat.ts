/** Creates a chat with this many questions and answers, and returns its path on the page. */
export async function fillChat(
  url: string,
  questions: readonly string[],
  modelId = "scripted/with-tools",
): Promise<string> {
  const post = (path: string, body: object) =>
    fetch(`${url}/api/chats${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const { id } = (await (await post("", {})).json()) as { id: string };
  for (const [at, text] of questions.entries()) {
    const message = { id: `q${at}`, role: "user", parts: [{ type: "text", text }] };
    // Read to its end: the next question waits until the answer is stored.
    await (await post(`/${id}/turn`, { message, modelId })).text();
  }
  return `/chat/${id}`;
}
