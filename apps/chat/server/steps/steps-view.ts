import type { ChangedSkill, ContextPart, StepView } from "../../shared/steps-api.ts";
import { numbersIn } from "./encode-request.ts";
import type { RequestRecipe, StepRecord, TextRecord } from "./step-record.ts";

/** The recorded requests of an answer, each with all of its messages and the texts behind its numbers. */
export interface OpenedRecipe extends RequestRecipe {
  /** All messages, encoded. */
  readonly all: readonly unknown[];
  readonly known: readonly TextRecord[];
}

/** Completes each recipe with what it has in common with the one before it. */
export function openRecipes(records: readonly StepRecord[]): readonly (OpenedRecipe | undefined)[] {
  let all: readonly unknown[] = [];
  let known: readonly TextRecord[] = [];
  return records.map(({ recipe }) => {
    if (recipe === undefined) return undefined;
    all = [...all.slice(0, recipe.same), ...recipe.messages];
    known = [...known, ...recipe.texts];
    return { ...recipe, all, known };
  });
}

export interface ViewStepsOptions {
  readonly recipes: readonly (OpenedRecipe | undefined)[];
  /** Of each step. */
  readonly changed: readonly (readonly ChangedSkill[])[];
}

/** The steps of an answer for the page: how much of each request is what, without the texts. */
export function viewSteps(records: readonly StepRecord[], { recipes, changed }: ViewStepsOptions): readonly StepView[] {
  return records.map(({ recipe: _, ...record }, index) => {
    const recipe = recipes[index];
    const parts = recipe === undefined ? [] : partsOf(recipe);
    return { ...record, parts, changed: changed[index] ?? [], hasRequest: recipe !== undefined };
  });
}

/** In the order in which the kinds first appear in the request; tools come first. */
function partsOf({ all, tools = [], known }: OpenedRecipe): readonly ContextPart[] {
  const parts = new Map<string, ContextPart>();
  for (const number of [...tools, ...numbersIn(all)]) {
    const text = known[number];
    if (text === undefined || text.tokens === 0) continue;
    const { kind, skill, path, tokens } = text;
    const key = JSON.stringify([kind, skill, path]);
    const before = parts.get(key) ?? { kind, ...(skill && { skill }), ...(path && { path }), count: 0, tokens: 0 };
    parts.set(key, { ...before, count: before.count + 1, tokens: before.tokens + tokens });
  }
  return [...parts.values()];
}
