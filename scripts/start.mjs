// `npm start` runs in a single process, so that ending it ends the chat.
import "./check-node.mjs";

await import("./start.ts");
