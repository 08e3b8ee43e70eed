import type { AnyParams, Section } from "./section.ts";

/** The sections of one kind, wherever in a prompt they stand. */
export function findSections<Kind extends Section>(
  sections: readonly Section[],
  kind: abstract new (...given: never[]) => Kind,
): readonly Kind[] {
  return sections.flatMap((section) => [
    ...(section instanceof kind ? [section] : []),
    ...findSections(section.children, kind),
  ]);
}

/** A section that is enabled, with its dotted key and the parameters that it is given. */
export interface EnabledSection<Kind extends Section> {
  readonly section: Kind;
  readonly path: string;
  readonly params: AnyParams;
}

/** The sections of one kind that are enabled with everything that they are in; not those within another one of the kind. */
export function findEnabled<Kind extends Section>(
  sections: readonly Section[],
  kind: abstract new (...given: never[]) => Kind,
  params: AnyParams,
  above = "",
): readonly EnabledSection<Kind>[] {
  return sections.flatMap((section): readonly EnabledSection<Kind>[] => {
    const own = section.paramsFrom(params);
    if (!section.isEnabled(own)) return [];
    const path = `${above}${section.key}`;
    if (section instanceof kind) return [{ section, path, params }];
    return findEnabled(section.children, kind, own, `${path}.`);
  });
}
