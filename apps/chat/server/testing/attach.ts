import { expect } from "vitest";
import type { Attachment } from "../../shared/attachments-api.ts";
import type { TestChat } from "./open-chat.ts";

/** An image of 8 x 8 pixels. */
export const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR42mOQSgvBihiGlgQAp3Q1AYFye1kAAAAASUVORK5CYII=",
  "base64",
);

export const BYTES = { "content-type": "application/octet-stream" };

export function postFile(chat: TestChat, name: string, content: Uint8Array | string, headers = BYTES) {
  const init = { method: "POST", headers, body: content as string };
  return chat.app.request(`/api/files?name=${encodeURIComponent(name)}`, init);
}

export async function upload(chat: TestChat, name: string, content: Uint8Array | string): Promise<Attachment> {
  const response = await postFile(chat, name, content);
  expect([name, response.status]).toEqual([name, 201]);
  return (await response.json()) as Attachment;
}

export interface SendFilesOptions {
  readonly text?: string;
  readonly modelId?: string;
}

/** Sends a message with files, and waits for the answer. */
export async function sendFiles(
  chat: TestChat,
  id: string,
  files: readonly Pick<Attachment, "id">[],
  { text = "Look.", modelId = "scripted/tools" }: SendFilesOptions = {},
) {
  const parts = [...files.map((data) => ({ type: "data-attachment", data })), { type: "text", text }];
  const message = { id: `m${++sent}`, role: "user", parts };
  const response = await chat.call("POST", `/api/chats/${id}/turn`, { message, modelId });
  return { status: response.status, text: await response.text(), messageId: message.id };
}

let sent = 0;
