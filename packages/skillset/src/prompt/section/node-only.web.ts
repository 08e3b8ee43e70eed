import { needsNode } from "../../web/needs-node.ts";

/** A folder of skills. Throws: there are no folders without Node. */
export class AgentSkillsSection {
  constructor() {
    throw needsNode("An AgentSkillsSection", "Use skills in code: SkillSection.");
  }
}

/** A reference to a skill in the file system. Throws: there is none without Node. */
export class SkillRef {
  constructor() {
    throw needsNode("A SkillRef", "Use skills in code: SkillSection.");
  }
}

/** Throws: there are no folders without Node. */
export async function installItems(): Promise<never> {
  throw needsNode("Installing skills", "Evaluate the prompt with a model instead of an agent.");
}

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
