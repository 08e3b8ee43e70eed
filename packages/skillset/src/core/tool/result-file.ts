/** A file in a tool's result, for models that take files. */
export interface ResultFile {
  /** The skill that the file belongs to, if any. */
  readonly skill?: string;
  /** The path from the skill's folder, or the name that a model reads. */
  readonly path: string;
  readonly mediaType: string;
  /** The size of the file. */
  readonly bytes: number;
  /** `sha256:` and 64 hex digits, if known. */
  readonly digest?: string;
  /** Not enumerable: a result that is stored or logged as JSON has no bytes. */
  readonly data: Uint8Array;
}

/** Creates a file of a result. Copies of it, also by JSON, have no `data`. */
export function toResultFile(
  { skill, path, mediaType, digest }: Omit<ResultFile, "bytes" | "data">,
  data: Uint8Array,
): ResultFile {
  const about = { ...(skill && { skill }), path, mediaType, bytes: data.byteLength, ...(digest && { digest }) };
  return Object.defineProperty(about, "data", { value: data, enumerable: false }) as ResultFile;
}
