/**
 * One JSON object a line as they come, a blank line when nothing came for `keepAliveMs`, and one at once so that the
 * headers leave. When the reader goes away `gone` is aborted and the source is closed.
 */
export function ndjsonOf(
  source: AsyncGenerator<unknown, void, undefined>,
  options: { readonly gone: AbortController; readonly keepAliveMs: number; readonly onClose?: () => void },
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const { gone, keepAliveMs, onClose } = options
  let pending: Promise<IteratorResult<unknown, void>> | null = null
  return new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode('\n'))
    },
    async pull(controller) {
      pending ??= source.next()
      let timer: ReturnType<typeof setTimeout> | undefined
      const silence = new Promise<'silence'>((resolve) => {
        timer = setTimeout(() => resolve('silence'), keepAliveMs)
      })
      try {
        const step = await Promise.race([pending, silence])
        if (step === 'silence') return controller.enqueue(encoder.encode('\n'))
        pending = null
        if (step.done) {
          onClose?.()
          return controller.close()
        }
        controller.enqueue(encoder.encode(`${JSON.stringify(step.value)}\n`))
      } finally {
        clearTimeout(timer)
      }
    },
    async cancel() {
      gone.abort()
      onClose?.()
      await source.return()
    },
  })
}
