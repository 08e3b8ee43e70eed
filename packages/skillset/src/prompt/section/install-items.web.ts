import { needsNode } from "../../web/needs-node.ts";

/** Throws: there are no folders without Node. */
export async function installItems(): Promise<never> {
  throw needsNode("Installing skills", "Evaluate the prompt with a model instead of an agent.");
}
