import type { ApprovalUIAdapter, Later } from './approval-ui'

/** An adapter whose screen comes and goes: what is asked while there is none waits for it. */
export interface ApprovalUIPort extends ApprovalUIAdapter {
  /** Shows questions here from now on; gives the function that ends it. The last one connected is asked. */
  readonly connect: (adapter: ApprovalUIAdapter) => () => void
}

export function createApprovalUIPort(): ApprovalUIPort {
  const adapters: ApprovalUIAdapter[] = []
  const waiting = new Set<(adapter: ApprovalUIAdapter) => void>()

  /** Null when the question is void before anybody could show it. */
  function screen(signal: AbortSignal): Promise<ApprovalUIAdapter | null> {
    const connected = adapters.at(-1)
    if (signal.aborted) return Promise.resolve(null)
    if (connected) return Promise.resolve(connected)
    return new Promise((resolve) => {
      const done = (adapter: ApprovalUIAdapter | null) => {
        waiting.delete(done)
        signal.removeEventListener('abort', onAbort)
        resolve(adapter)
      }
      const onAbort = () => done(null)
      waiting.add(done)
      signal.addEventListener('abort', onAbort, { once: true })
    })
  }

  async function onScreen<Decision>(
    signal: AbortSignal,
    show: (adapter: ApprovalUIAdapter) => Promise<Decision>,
  ): Promise<Decision | Later> {
    const adapter = await screen(signal)
    return adapter ? show(adapter) : { kind: 'later' }
  }

  return {
    showToolExecutionApproval: (request, signal) =>
      onScreen(signal, (adapter) => adapter.showToolExecutionApproval(request, signal)),
    showToolResultApproval: (request, signal) =>
      onScreen(signal, (adapter) => adapter.showToolResultApproval(request, signal)),
    showFileReview: (request, signal) => onScreen(signal, (adapter) => adapter.showFileReview(request, signal)),
    showRoundsLimit: (request, signal) => onScreen(signal, (adapter) => adapter.showRoundsLimit(request, signal)),
    connect(adapter) {
      adapters.push(adapter)
      for (const done of waiting) done(adapter)
      return () => {
        const at = adapters.lastIndexOf(adapter)
        if (at >= 0) adapters.splice(at, 1)
      }
    },
  }
}
