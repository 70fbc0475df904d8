/** Bytes of one chunk that is made of small pieces; a larger piece is a chunk of its own. */
const CHUNK_CHARS = 64 * 1024

/** A text that is made while it is read: the next pieces are asked for when there is room for them. */
export function textStream(pieces: AsyncGenerator<string, void, undefined>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        let text = ''
        while (text.length < CHUNK_CHARS) {
          const step = await pieces.next()
          if (step.done === true) {
            if (text !== '') controller.enqueue(encoder.encode(text))
            return controller.close()
          }
          text += step.value
        }
        controller.enqueue(encoder.encode(text))
      },
      async cancel() {
        await pieces.return()
      },
    },
    { highWaterMark: 0 },
  )
}
