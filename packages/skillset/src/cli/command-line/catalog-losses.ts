import type { Catalog } from "../../core/catalog/catalog.ts";
import { counted, printable } from "../terminal/printable.ts";

/** Describes what was shortened or left out to fit a budget; empty if everything fits. */
export function catalogLosses({
  shortened,
  nameOnly,
  omitted,
}: Pick<Catalog, "shortened" | "nameOnly" | "omitted">): string {
  return [
    shortened.length > 0 && `${counted(shortened.length, "description")} shortened (${someOf(shortened)})`,
    nameOnly.length > 0 && `${counted(nameOnly.length, "skill")} listed by name only (${someOf(nameOnly)})`,
    omitted.length > 0 && `${counted(omitted.length, "skill")} left out (${someOf(omitted)})`,
  ]
    .filter((loss) => loss !== false)
    .join("; ");
}

const MOST_NAMES = 5;

function someOf(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).map(printable).join(", ");
  return names.length > MOST_NAMES ? `${shown}, …` : shown;
}
