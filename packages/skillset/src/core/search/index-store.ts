/** Keeps the bytes of an index. What it returns is checked, and affects ranks only. */
export interface IndexStore {
  /** Returns the bytes of the last `write`, or undefined if there are none. Reports what keeps it from reading them. */
  read(): Promise<Uint8Array | undefined>;
  /** Replaces the bytes by these pieces. Reports what keeps it from writing them. */
  write(pieces: readonly Uint8Array[]): Promise<void>;
  /** Called if the bytes are not a usable index, which is then built and written again. */
  report(reason: string): void;
}
