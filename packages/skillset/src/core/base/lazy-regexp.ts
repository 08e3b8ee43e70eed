/**
 * A regular expression that is compiled when it is first used. Sets of Unicode properties take milliseconds to
 * build, and a literal is checked, and so built, as soon as its file is imported.
 */
export function lazyRegExp(source: string, flags = "u"): () => RegExp {
  let compiled: RegExp | undefined;
  return () => {
    compiled ??= new RegExp(source, flags);
    return compiled;
  };
}
