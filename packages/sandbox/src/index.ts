export { embedded } from "./embedded.ts";
