/**
 * A stream that is read to its end whether or not anybody reads the copy that is given. What waits for a slow reader is
 * bounded: beyond `bytes` the copy ends and `drop` is called.
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
 * A step of an answer can come with several files of a skill at once, twice each, so this is far more than a page that
 * reads ever has waiting. One that does not read at all is dropped by the server's own timeout.
 */
const LARGEST_BACKLOG = 32 * 1024 * 1024;
