import { SkillError } from "./errors.ts";

/** Throws if the value is not one of the choices. */
export function checkChoice(option: string, value: unknown, choices: readonly unknown[]): void {
  if (choices.includes(value)) return;
  const names = choices.filter((choice) => choice !== undefined).map((choice) => `'${choice}'`);
  throw new SkillError("option-invalid", `'${option}' must be ${names.join(" or ")}; got ${JSON.stringify(value)}.`);
}
