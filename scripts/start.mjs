// One process from `npm start` on, so that whoever ends it ends the chat.
import "./check-node.mjs";

await import("./start.ts");
