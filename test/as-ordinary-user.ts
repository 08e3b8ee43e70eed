/** Runs the work without the rights of root, to which permissions mean nothing. */
export async function asOrdinaryUser<Result>(work: () => Promise<Result> | Result): Promise<Result> {
  if (process.getuid?.() !== 0) return work();
  process.seteuid?.(65_534);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}
