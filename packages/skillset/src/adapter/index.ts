// What adapters to SDKs are made of, beside `session.turn()`. Ours import nothing else of the library.
export {
  type CompactRequestOptions,
  compactRequest,
  type RequestSurroundings,
} from "../core/compact/compact-request.ts";
export {
  type CompactedMessages,
  type CompactMessagesOptions,
  compactWith,
  type MessageReading,
  type MessageShape,
} from "../core/compact/compact-with.ts";
export { contentText, mapContent, replaceContent } from "./content.ts";
export { loadPeer } from "./load-peer.ts";
export { checkMaxSteps } from "./max-steps.ts";
export {
  type FunctionCall,
  type FunctionTool,
  type ModelApi,
  type ModelReply,
  type ModelRequest,
  type ModelRun,
  RunError,
  type RunFinish,
  type RunOptions,
  runModelLoop,
} from "./model-loop.ts";
