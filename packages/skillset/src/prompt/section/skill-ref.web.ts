import { needsNode } from "../../web/needs-node.ts";

/** A reference to a skill in the file system. Throws: there is none without Node. */
export class SkillRef {
  constructor() {
    throw needsNode("A SkillRef", "Use skills in code: SkillSection.");
  }
}
