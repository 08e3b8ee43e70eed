/**
 * Resolves with the promise's value, or with undefined after the given time. With `ref: false`, the timer does not keep
 * the program alive.
 */
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
