import { checkMethods } from "../../core/text/describe-value.ts";

/** Throws if the value lacks what a server has. A skillset would start, and then answer no request. */
export function checkServer(call: string, server: unknown, methods: readonly string[] = ["fetch"]): void {
  checkMethods(`The first argument of ${call}`, server, methods, "Pass a server: createSkillsServer(skillset).");
}
