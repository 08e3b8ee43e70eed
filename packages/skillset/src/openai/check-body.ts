import { SkillError } from "../index.ts";

/** Options of the run that are not part of the API's request. The compiler catches most of these, but not in JavaScript. */
const OPTIONS = [
  "tools",
  "stream",
  "catalog",
  "operations",
  "mode",
  "inject",
  "suggest",
  "maxSteps",
  "compact",
  "signal",
  "onEvent",
];

/** Throws if the request's body contains an option of the run, which the API would reject or misread. */
export function checkBody(body: object): void {
  const misplaced = OPTIONS.find((name) => name in body);
  if (misplaced === undefined) return;
  const fix = misplaced === "stream" ? "set 'onEvent' to stream" : "put it into the last argument";
  throw new SkillError("option-invalid", `'${misplaced}' is not part of the request's body: ${fix}.`);
}
