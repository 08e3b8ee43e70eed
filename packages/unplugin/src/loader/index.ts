// biome-ignore lint/style/noDefaultExport: a loader is a default export
export { type LoaderContext, skillLoader as default } from "./skill-loader.ts";
