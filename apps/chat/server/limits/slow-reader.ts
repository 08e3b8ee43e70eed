/**
 * Reads a stream to its end even if the returned copy is not read. The buffer for a slow reader is bounded: beyond
 * `bytes`, the copy ends and `drop` is called.
 */
export function boundReader(
  source: ReadableStream<Uint8Array>,
  drop: () => void,
  { bytes = LARGEST_BACKLOG }: { readonly bytes?: number } = {},
): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  let isOpen = true;
  return new ReadableStream(
    {
      start(controller) {
        const pump = async (): Promise<void> => {
          for (;;) {
            const { done, value } = await reader.read();
            if (done) break;
            if (!isOpen) continue;
            controller.enqueue(value);
            if ((controller.desiredSize ?? 0) >= 0) continue;
            isOpen = false;
            controller.close();
            drop();
          }
          if (isOpen) controller.close();
        };
        pump().catch((error: unknown) => isOpen && controller.error(error));
      },
      cancel() {
        isOpen = false;
      },
    },
    { highWaterMark: bytes, size: ({ byteLength }) => byteLength },
  );
}

/**
 * One step of an answer can contain several files of a skill, twice each. This limit is far above what a reading page
 * ever has pending. A page that reads nothing is dropped by the server's timeout.
 */
const LARGEST_BACKLOG = 32 * 1024 * 1024;
