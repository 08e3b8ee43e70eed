import { needsNode } from "../../web/needs-node.ts";

/** A folder of skills. Throws: there are no folders without Node. */
export class AgentSkillsSection {
  constructor() {
    throw needsNode("An AgentSkillsSection", "Use skills in code: SkillSection.");
  }
}
