import { needsNode } from "../../web/needs-node.ts";

/** A folder for an agent. Throws: there are no folders without Node. */
export class WorkspaceSection {
  constructor() {
    throw needsNode("A WorkspaceSection", "Leave it out: models without files cannot use a workspace.");
  }
}
