import { useEffect, useState } from "react";

/** A formula, as MathML: the content security policy forbids the styles of other output. Shows its source until then. */
export function Tex({ source }: { readonly source: string }) {
  const [shown, setShown] = useState<{ readonly source: string; readonly markup: string | undefined } | undefined>();
  useEffect(() => {
    let isGone = false;
    void renderTex(source).then((markup) => {
      if (!isGone) setShown({ source, markup });
    });
    return () => {
      isGone = true;
    };
  }, [source]);
  const markup = shown?.source === source ? shown.markup : undefined;
  if (markup === undefined) return <code>{source}</code>;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: KaTeX escapes all text, and `refuse` rejects links and HTML
  return <span className={isBlock(source) ? "tex block" : "tex"} dangerouslySetInnerHTML={{ __html: markup }} />;
}

const LONGEST = 2_000;

/** Undefined for what is no valid formula. */
async function renderTex(source: string): Promise<string | undefined> {
  if (source.length > LONGEST) return undefined;
  try {
    const { default: katex } = await import("katex");
    const markup = katex.renderToString(source.slice(2, -2), {
      displayMode: isBlock(source),
      output: "mathml",
      strict: "ignore",
      trust: refuse,
      maxExpand: 200,
      maxSize: 20,
    });
    return markup.replaceAll(/ style="[^"]*"/g, "");
  } catch {
    return undefined;
  }
}

function refuse(): boolean {
  throw new Error("Links and HTML are not shown in formulas.");
}

function isBlock(source: string): boolean {
  return source.startsWith("\\[");
}
