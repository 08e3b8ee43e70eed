// `npm start` is one process, so that ending it also ends the chat.
import "./check-node.mjs";

await import("./start.ts");
