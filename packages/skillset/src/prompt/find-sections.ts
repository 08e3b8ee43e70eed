import type { Section } from "./section.ts";

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
