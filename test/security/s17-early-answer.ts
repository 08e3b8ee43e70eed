// Preloaded into the chat's server by the control of S17: acknowledges messages before they are stored.
import { ChatStore } from "../../apps/chat/server/chats/chat-store.ts";

const { ask } = ChatStore.prototype;
ChatStore.prototype.ask = async function (...given) {
  setTimeout(() => void ask.apply(this, given).catch(() => {}), 100);
  return { outcome: "stored", skills: [] };
};
