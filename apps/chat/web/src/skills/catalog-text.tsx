import type { SkillsView } from "../../../shared/api.ts";
import { TextBlock } from "../ui/code-block.tsx";
import { countText } from "./state-words.ts";

export function CatalogText({ catalog }: Pick<SkillsView, "catalog">) {
  return (
    <section aria-labelledby="catalog-title">
      <h2 id="catalog-title">What a model is shown</h2>
      <p className="hint">
        Exactly this text is in the prompt, {countText(catalog.tokens, "token")}. Instructions come only when a skill is
        activated.
      </p>
      <TextBlock text={catalog.text} label="catalog" isWrapped />
    </section>
  );
}
