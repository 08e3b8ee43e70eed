/**
 * Compiles a regular expression on first use. Unicode property sets take milliseconds to build, and a literal is
 * compiled as soon as its file is imported.
 */
export function lazyRegExp(source: string, flags = "u"): () => RegExp {
  let compiled: RegExp | undefined;
  return () => {
    compiled ??= new RegExp(source, flags);
    return compiled;
  };
}
