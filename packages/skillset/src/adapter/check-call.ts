import { SkillError } from "../core/base/errors.ts";

/** Options of every adapter. None of them is part of an SDK's request. */
const OPTIONS = [
  "client",
  "session",
  "request",
  "catalog",
  "operations",
  "mode",
  "inject",
  "suggest",
  "maxSteps",
  "files",
  "compact",
  "cache",
  "signal",
  "onEvent",
];

/**
 * Checks a call of an adapter, `name({ session, request, … })`. Throws if one of the `required` parts is missing, or if
 * `request` contains an option of the adapter, which an API would reject or ignore.
 */
export function checkCall<Part extends string>(
  name: string,
  call: Readonly<Record<Part, unknown>>,
  required: readonly Part[],
): void {
  const missing = required.find((part) => call?.[part] === undefined || call[part] === null);
  if (missing !== undefined) {
    const shape = `${name}({ ${required.join(", ")} })`;
    throw new SkillError("option-invalid", `${name}() takes one object, ${shape}: '${missing}' is missing.`);
  }
  const { request } = call as { readonly request?: object };
  const misplaced = OPTIONS.find((option) => request !== undefined && option in request);
  if (misplaced === undefined) return;
  throw new SkillError(
    "option-invalid",
    `'${misplaced}' is an option of ${name}(), not of the request: move it out of 'request'.`,
  );
}
