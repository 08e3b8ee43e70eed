/** What a promise resolves to, or undefined when that takes longer. With `ref: false` the program may end meanwhile. */
export async function within<Value>(
  milliseconds: number,
  work: Promise<Value>,
  { ref = true }: { readonly ref?: boolean } = {},
): Promise<Value | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds);
    if (!ref) timer.unref();
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
