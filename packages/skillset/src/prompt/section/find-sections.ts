import type { AnyParams, Section } from "./section.ts";

/** Returns the sections of one class, at any depth of a prompt. */
export function findSections<Kind extends Section>(
  sections: readonly Section[],
  kind: abstract new (...given: never[]) => Kind,
): readonly Kind[] {
  return sections.flatMap((section) => [
    ...(section instanceof kind ? [section] : []),
    ...findSections(section.children, kind),
  ]);
}

/** An enabled section, with its dotted key and its parameters. */
export interface EnabledSection<Kind extends Section> {
  readonly section: Kind;
  readonly path: string;
  readonly params: AnyParams;
  /** Whether it is inside a summarised section, so that the model does not see it before it opens that one. */
  readonly isHidden: boolean;
}

/**
 * Returns the sections of one class that are enabled along with all their parents. Sections nested in another one of
 * the class are not included.
 */
export function findEnabled<Kind extends Section>(
  sections: readonly Section[],
  kind: abstract new (...given: never[]) => Kind,
  params: AnyParams,
  above = { path: "", isHidden: false },
): readonly EnabledSection<Kind>[] {
  return sections.flatMap((section): readonly EnabledSection<Kind>[] => {
    const own = section.paramsFrom(params);
    if (!section.isEnabled(own)) return [];
    const path = `${above.path}${section.key}`;
    if (section instanceof kind) return [{ section, path, params, isHidden: above.isHidden }];
    const isHidden = above.isHidden || section.visibilityFor(own) === "summary";
    return findEnabled(section.children, kind, own, { path: `${path}.`, isHidden });
  });
}
