import { needsNode } from "../../web/needs-node.ts";

/** The tools for the skills of one prompt: none, because only skills in folders have files and scripts. */
export class PromptSkills {
  readonly hasScripts = false;

  constructor({ scripts }: { readonly scripts?: unknown } = {}) {
    if (scripts !== undefined) throw needsNode("The option 'scripts'", "Leave it out.");
  }

  offer(): readonly never[] {
    return [];
  }
}
