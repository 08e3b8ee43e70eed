import { createCssVariablesTheme, createHighlighterCore, type HighlighterCore } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";
import { LANGUAGES } from "./languages.ts";
import type { HighlightRequest, HighlightResponse, Run } from "./messages.ts";

// Grammars are slow on long texts, so they run beside the page. The engine needs no WebAssembly, which the content
// security policy forbids.

const THEME = "by-kind";
let highlighter: Promise<HighlighterCore> | undefined;

addEventListener("message", async ({ data }: MessageEvent<HighlightRequest>) => {
  const response: HighlightResponse = { id: data.id, runs: await runsOf(data).catch(() => []) };
  postMessage(response);
});

async function runsOf({ text, language }: HighlightRequest): Promise<Run[]> {
  highlighter ??= createHighlighterCore({
    themes: [createCssVariablesTheme({ name: THEME, variablePrefix: "" })],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
  const { codeToTokensBase, getLoadedLanguages, loadLanguage } = await highlighter;
  const load = LANGUAGES[language];
  if (load === undefined) return [];
  if (!getLoadedLanguages().includes(language)) await loadLanguage(load());
  const runs: Run[] = [];
  // A grammar that stops in the middle of a line colours all later lines wrongly. The page ends the worker instead.
  const limits = { tokenizeTimeLimit: 0, tokenizeMaxLineLength: 2_000 };
  const lines = codeToTokensBase(text, { lang: language, theme: THEME, ...limits });
  for (const { offset, content, color = "" } of lines.flat()) {
    const kind = /token-([\w-]+)/.exec(color)?.[1];
    if (kind !== undefined) runs.push([kind, offset, offset + content.length]);
  }
  return runs;
}
