import { loadPeer, type PeerVersions } from "../adapter/index.ts";

const VERSIONS: PeerVersions = { name: "ai", range: "^7.0.0", install: "7" };

/** Loads the AI SDK. Version 6 would ignore `instructions`, and send requests without the catalog. */
export function loadAi() {
  return loadPeer("ai", () => import("ai"), { versions: VERSIONS, features: ["jsonSchema", "isStepCount"] });
}
