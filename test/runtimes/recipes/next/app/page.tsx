"use client";

import { useChat } from "@ai-sdk/react";
import { useState } from "react";

export default function Page() {
  const { messages, sendMessage, status } = useChat(); // posts to /api/chat
  const [text, setText] = useState("");
  return (
    <main>
      {messages.map(({ id, role, parts }) => (
        <p key={id} data-role={role}>
          {parts.map((part) => (part.type === "text" ? part.text : "")).join("")}
        </p>
      ))}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          sendMessage({ text });
          setText("");
        }}
      >
        <input value={text} onChange={({ target }) => setText(target.value)} aria-label="Message" />
        <button type="submit" disabled={status !== "ready"}>
          Send
        </button>
      </form>
    </main>
  );
}
