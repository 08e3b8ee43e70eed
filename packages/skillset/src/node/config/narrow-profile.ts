import { ALLOWED_TOOLS_POLICIES, type AllowedToolsPolicy } from "../../core/allowed-tools/decide-call.ts";
import { DEFAULT_POLICY } from "../../core/allowed-tools/tool-rules.ts";
import type { Problem } from "../../core/base/problem.ts";
import type { CatalogBudget } from "../../core/catalog/catalog.ts";
import { RUNNERS_BY_STRENGTH, SANDBOXES } from "../../core/script/runner-names.ts";
import { compileFilter } from "../../core/source/select.ts";
import {
  budgetOf,
  type Profile,
  type ProfileCatalog,
  type ProfileScripts,
  type ProfileSource,
} from "./profiles-config.ts";

/** The filters and pins of both files apply. */
type Filter = "enabled" | "disabled" | "pins";

/** The part of a profile in which one value wins. */
export interface Narrowed extends Omit<Profile, Filter> {
  readonly problems: readonly Problem[];
}

/** Applies a project's profile to the user's. The project may only narrow: what would widen is a problem, and ignored. */
export function narrowProfile(own: Profile, project: ProfileSource, ownPath: string): Narrowed {
  const problems: Problem[] = [];
  const refuse = (field: string, what: string): void => {
    problems.push({
      code: "profile-widens",
      severity: "warning",
      message: `'${field}' in the profile '${project.name}' ${what}. A project may only narrow what you allow, so it is ignored.`,
      path: project.path,
      ...project.placeOf(field),
      fix: `Remove it, or allow it in your own file '${ownPath}'.`,
    });
  };
  checkNames(own, project.profile, refuse);
  const narrowed = Object.entries(NARROWERS).map(([name, narrow]) => {
    const field = name as keyof typeof NARROWERS;
    const [mine, wanted] = [own[field], project.profile[field]];
    return [field, wanted === undefined ? mine : (narrow as Narrow<unknown>)(mine, wanted, refuse)];
  });
  return { ...Object.fromEntries(narrowed), problems };
}

type Refuse = (field: string, what: string) => void;
type Narrow<Value> = (own: Value | undefined, wanted: NonNullable<Value>, refuse: Refuse) => Value;

/** How each field is narrowed. */
const NARROWERS: { readonly [Field in Exclude<keyof Profile, Filter>]-?: Narrow<Profile[Field]> } = {
  scripts: narrowScripts,
  allowedTools: narrowTools,
  maxSkills: narrowCount,
  catalog: narrowCatalog,
};

/** Both filters apply, so this only reports names that the project lists in vain. */
function checkNames(own: Profile, { enabled = [] }: Profile, refuse: Refuse): void {
  const reasonAgainst = compileFilter(own);
  const vain = enabled.filter((name) => own.disabled?.includes(name) || (!/[*?[{]/.test(name) && reasonAgainst(name)));
  if (vain.length > 0) refuse("enabled", `enables ${vain.map((name) => `'${name}'`).join(", ")}, which you do not`);
}

function narrowScripts(
  own: Profile["scripts"],
  wanted: "off" | ProfileScripts,
  refuse: Refuse,
): "off" | ProfileScripts {
  if (wanted === "off") return "off";
  if (own === "off") {
    refuse("scripts", "switches scripts on, which you switched off");
    return "off";
  }
  let { runner, minimum } = own ?? {};
  if (wanted.minimum !== undefined) {
    if (minimum === undefined || rank(SANDBOXES, wanted.minimum) >= rank(SANDBOXES, minimum)) minimum = wanted.minimum;
    else refuse("scripts.minimum", `accepts the sandbox '${wanted.minimum}', and your minimum is '${minimum}'`);
  }
  if (wanted.runner !== undefined) {
    if (rank(RUNNERS_BY_STRENGTH, wanted.runner) >= rank(RUNNERS_BY_STRENGTH, runner ?? "auto")) runner = wanted.runner;
    else refuse("scripts.runner", `uses the runner '${wanted.runner}', which is weaker than '${runner ?? "auto"}'`);
  }
  return { ...(runner && { runner }), ...(minimum && { minimum }) };
}

function narrowTools(
  own: AllowedToolsPolicy = DEFAULT_POLICY,
  wanted: AllowedToolsPolicy,
  refuse: Refuse,
): AllowedToolsPolicy {
  if (rank(ALLOWED_TOOLS_POLICIES, wanted) >= rank(ALLOWED_TOOLS_POLICIES, own)) return wanted;
  refuse("allowedTools", `is '${wanted}', which is weaker than '${own}'`);
  return own;
}

function narrowCount(own: number | undefined, wanted: number, refuse: Refuse): number {
  if (own === undefined || wanted <= own) return wanted;
  refuse("maxSkills", `raises your limit of ${own} to ${wanted}`);
  return own;
}

/** Both pins apply, the user's first: they only order the catalog. */
function narrowCatalog(own: ProfileCatalog = {}, wanted: ProfileCatalog, refuse: Refuse): ProfileCatalog {
  const [ownBudget, wantedBudget] = [budgetOf(own), budgetOf(wanted)];
  const budget = wantedBudget === undefined ? ownBudget : narrowBudget(ownBudget, wantedBudget, refuse);
  const pins = [...(own.pins ?? []), ...(wanted.pins ?? [])];
  return { ...budget, ...(pins.length > 0 && { pins }) };
}

function narrowBudget(own: CatalogBudget | undefined, wanted: CatalogBudget, refuse: Refuse): CatalogBudget {
  if (own === undefined) return wanted;
  const [unit, limit] = measure(own);
  const [wantedUnit, wantedLimit] = measure(wanted);
  if (unit === wantedUnit && wantedLimit <= limit) return wanted;
  const rest = unit === wantedUnit ? "" : ", which cannot be compared";
  refuse("catalog", `replaces your budget of ${limit} ${unit} by ${wantedLimit} ${wantedUnit}${rest}`);
  return own;
}

function measure(budget: CatalogBudget): readonly [unit: string, limit: number] {
  return "tokens" in budget ? ["tokens", budget.tokens] : ["characters", budget.characters];
}

function rank<Word>(words: readonly Word[], word: Word): number {
  return words.indexOf(word);
}
