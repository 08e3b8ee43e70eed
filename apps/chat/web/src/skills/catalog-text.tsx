import type { SkillsView } from "../../../shared/skills-api.ts";
import { TextBlock } from "../ui/code-block.tsx";
import { countText } from "../ui/count-text.ts";

export function CatalogText({ catalog }: Pick<SkillsView, "catalog">) {
  return (
    <section aria-labelledby="catalog-title">
      <h2 id="catalog-title">Catalog</h2>
      <p className="hint">
        Every prompt includes this text ({countText(catalog.tokens, "token")}). Instructions are added only when a skill
        is activated.
      </p>
      <TextBlock text={catalog.text} label="catalog" isWrapped />
    </section>
  );
}
