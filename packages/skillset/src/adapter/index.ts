// What adapters to SDKs are made of, beside `session.turn()`. Ours import nothing else of the library.
export { type CompactRequestOptions, compactRequest, type RequestSurroundings } from "../core/compact-request.ts";
export {
  type CompactedMessages,
  type CompactMessagesOptions,
  compactWith,
  type MessageShape,
  type Reading,
} from "../core/compact-with.ts";
export { contentText, mapContent, replaceContent } from "../tools/content.ts";
export { loadPeer } from "../tools/load-peer.ts";
export { checkMaxSteps } from "../tools/max-steps.ts";
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
} from "../tools/model-loop.ts";
