/**
 * Waits for one thing after the other, each given up when the signal aborts (rejects with its reason). One listener for
 * all of them, taken away by `dispose`: a composite signal, or a race against one promise that never settles, would keep
 * every piece that was ever waited for.
 */
export function createAbortable(signal: AbortSignal) {
  let giveUp: (() => void) | null = null
  const onAbort = () => giveUp?.()
  signal.addEventListener('abort', onAbort)
  return {
    wait: <T>(next: PromiseLike<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        giveUp = () => reject(signal.reason as Error)
        next.then(resolve, reject)
        if (signal.aborted) giveUp()
      }),
    dispose() {
      giveUp = null
      signal.removeEventListener('abort', onAbort)
    },
  }
}
