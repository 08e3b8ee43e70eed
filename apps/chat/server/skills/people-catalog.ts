import type { Catalog, CatalogOptions, Skillset } from "skillset";

/** The skills that a user can invoke, for a model without tools. */
export function peopleCatalog(skillset: Skillset, options?: CatalogOptions): Catalog {
  const others = skillset.skills.filter(({ userInvocable }) => !userInvocable).map(({ name }) => name);
  return skillset.filter({ disabled: others }).catalog(options);
}
