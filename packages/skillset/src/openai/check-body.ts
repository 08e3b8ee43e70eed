import { SkillError } from "../index.ts";

/** What belongs to the run and not to the API's request. The compiler finds most of these, but not in JavaScript. */
const OPTIONS = [
  "tools",
  "stream",
  "catalog",
  "operations",
  "mode",
  "inject",
  "maxSteps",
  "compact",
  "signal",
  "onEvent",
];

/** Throws for an option of the run in the request's body, which the API would refuse or misunderstand. */
export function checkBody(body: object): void {
  const misplaced = OPTIONS.find((name) => name in body);
  if (misplaced === undefined) return;
  const fix = misplaced === "stream" ? "set 'onEvent' to stream" : "put it into the last argument";
  throw new SkillError("option-invalid", `'${misplaced}' is not part of the request's body: ${fix}.`);
}
