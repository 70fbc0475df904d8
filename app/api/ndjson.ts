export const ndjsonHeaders = {
  'content-type': 'application/x-ndjson; charset=utf-8',
  // No intermediary may cache, compress or buffer it, because tokens should arrive one by one.
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
} as const

/** Intermediaries treat a connection without data as dead. */
export const KEEP_ALIVE_MS = 10_000

const encoder = new TextEncoder()
export const blank: Uint8Array = encoder.encode('\n')

/** Lists sent to several readers are serialized once. */
const written = new WeakMap<readonly unknown[], Uint8Array>()

/** One line each, as one chunk. */
export function linesOf(values: readonly unknown[]): Uint8Array {
  let bytes = written.get(values)
  if (!bytes) {
    let lines = ''
    for (const value of values) lines += `${JSON.stringify(value)}\n`
    bytes = encoder.encode(lines)
    written.set(values, bytes)
  }
  return bytes
}

/**
 * One JSON object per line; each list is one chunk as it arrives. Sends a blank line when nothing arrived for
 * `keepAliveMs`, and one immediately so that the headers are sent. Nothing is taken from the source while the reader is
 * slow. When the reader disconnects, `gone` is aborted and the source is closed.
 */
export function ndjsonOf(
  source: AsyncGenerator<readonly unknown[], void, undefined>,
  options: { readonly gone: AbortController; readonly keepAliveMs: number; readonly onClose?: () => void },
): ReadableStream<Uint8Array> {
  const { gone, keepAliveMs, onClose } = options
  let silence: ReturnType<typeof setTimeout> | undefined
  const close = () => {
    clearTimeout(silence)
    onClose?.()
  }
  return new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(blank)
      silence = setTimeout(() => {
        if ((controller.desiredSize ?? 0) > 0) controller.enqueue(blank)
        silence?.refresh()
      }, keepAliveMs)
    },
    async pull(controller) {
      try {
        const step = await source.next()
        if (step.done) {
          close()
          return controller.close()
        }
        controller.enqueue(linesOf(step.value))
        silence?.refresh()
      } catch (error) {
        close()
        throw error
      }
    },
    async cancel() {
      gone.abort()
      close()
      await source.return()
    },
  })
}
