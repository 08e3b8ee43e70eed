import type { CatalogView } from "../../../shared/skills-api.ts";
import { countText } from "../ui/count-text.ts";
import { Icon } from "../ui/icon.tsx";

/** A warning if the catalog describes skills only in part, or takes many tokens of every request. */
export function CatalogNotice({ catalog }: { readonly catalog: CatalogView }) {
  const { tokens, budget, full, shortened, nameOnly, omitted } = catalog;
  const isIncomplete = shortened + nameOnly + omitted > 0;
  if (!isIncomplete && tokens < COSTLY) return null;
  return (
    <section className="catalog-notice" aria-label={isIncomplete ? "Incomplete catalog" : "Large catalog"}>
      <Icon name="alert" />
      <div>
        <p>
          <strong>{isIncomplete ? "The catalog is incomplete." : "The catalog is large."}</strong> It adds{" "}
          {countText(tokens, "token")} to every request (limit: {budget.toLocaleString("en")}).
        </p>
        {isIncomplete ? (
          <>
            <dl className="levels">
              <Level term="whole description" count={full} />
              <Level term="shortened" count={shortened} />
              <Level term="name only" count={nameOnly} />
              <Level term="found only by search" count={omitted} />
            </dl>
            <p className="reason">
              To describe more skills, raise <code>max_catalog_tokens</code> in config.toml. To choose which skills keep
              their description, list their names in <code>catalog_pins</code>. Disabled skills take no space.
            </p>
          </>
        ) : (
          <p className="reason">
            To make requests cheaper, disable skills that you do not need, or lower <code>max_catalog_tokens</code> in
            config.toml; <code>catalog_pins</code> lists the skills that then keep their description.
          </p>
        )}
      </div>
    </section>
  );
}

/** The size of about 75 skills with descriptions of ordinary length. */
const COSTLY = 5_000;

function Level({ term, count }: { readonly term: string; readonly count: number }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{count.toLocaleString("en")}</dd>
    </div>
  );
}
