/** The wait for the stream, after which a call is sent without it. */
const OPENING_MS = 1_000
const MAX_BYTES = 16_000_000

export interface StandaloneStreamPorts {
  /** Requests to the server, with the guards of `guardedFetch`. */
  readonly fetch: typeof globalThis.fetch
  /**
   * Runs the work once few enough other tabs do the same for this server. `isWanted`: whether another tab waits for
   * this place.
   */
  readonly inFewTabs: (work: (isWanted?: () => Promise<boolean>) => Promise<void>, options: InFewTabs) => Promise<void>
}

/** A place among the tabs that have a stream to a server. */
export interface StreamPlace {
  readonly isWanted: () => Promise<boolean>
  readonly leave: () => void
}

/** Rejects with the signal's reason if there was none until then. */
export async function takePlace(
  inFewTabs: StandaloneStreamPorts['inFewTabs'],
  signal: AbortSignal,
): Promise<StreamPlace> {
  const left = Promise.withResolvers<void>()
  const got = Promise.withResolvers<StreamPlace>()
  const wait = async () => {
    await inFewTabs(
      (isWanted = () => Promise.resolve(false)) => {
        got.resolve({ isWanted, leave: left.resolve })
        return left.promise
      },
      { signal, onWait() {} },
    )
    got.reject(signal.reason)
  }
  wait().catch(got.reject)
  return got.promise
}

interface InFewTabs {
  /** Ends the wait for other tabs. */
  readonly signal: AbortSignal
  /** Other tabs have all places, so the work waits for them. */
  readonly onWait: () => void
}

/**
 * The stream on which servers of 2025 may ask something beside the stream of a call. A browser has six connections per
 * host for all tabs, so it is open only while calls run, and in few tabs of the browser. The client gets one that stays
 * open, and receives on it what comes meanwhile.
 */
export function standaloneStream({ fetch, inFewTabs }: StandaloneStreamPorts) {
  let asked: { readonly input: RequestInfo | URL; readonly init: RequestInit } | null = null
  let out: ReadableStreamDefaultController<Uint8Array> | null = null
  let isRefused = false
  let isWaiting = false
  let leave = () => {}
  let calls = 0
  let bytes = 0
  let end = () => {}
  let opened = Promise.resolve()

  async function listen(onOpen: () => void): Promise<void> {
    isWaiting = false
    if (!asked || calls === 0) return
    const abort = new AbortController()
    end = () => abort.abort()
    try {
      const { input, init } = asked
      const { ok, status, headers, body } = await fetch(input, { ...init, signal: abort.signal })
      const isStream = ok && /event-stream/i.test(headers.get('content-type') ?? '')
      // A new sign-in may have replaced one that ended.
      if (!isStream && status !== 401) isRefused = true
      onOpen()
      if (!isStream || !body) return await body?.cancel()
      const reader = body.getReader()
      abort.signal.addEventListener('abort', () => void reader.cancel().catch(() => {}))
      while (!abort.signal.aborted) {
        const { done, value } = await reader.read()
        if (done) break
        bytes += value.byteLength
        if (bytes > MAX_BYTES) isRefused = true
        if (isRefused) break
        out?.enqueue(value)
      }
      await reader.cancel()
    } catch {
      // It ended with the calls; or the server lets no page read it.
      if (!abort.signal.aborted) isRefused = true
    }
    // A half-received event is dropped.
    out?.enqueue(new TextEncoder().encode('\n\n'))
  }

  return {
    /** Answers the client's own request. */
    answer(input: RequestInfo | URL, init: RequestInit): Response {
      asked = { input, init }
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => void (out = controller),
        cancel() {
          out = null
          end()
        },
      })
      init.signal?.addEventListener('abort', () => {
        out?.close()
        out = null
        end()
      })
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    },
    /**
     * A call begins: resolves when the server can ask. Returns the function that ends it; `isUnheard`: other tabs have
     * the places, so the server's questions beside the call are received once they are done.
     */
    async hold(): Promise<{ readonly release: () => void; readonly isUnheard: boolean }> {
      if (!asked || isRefused) return { release() {}, isUnheard: false }
      calls += 1
      if (calls === 1) {
        const waiting = new AbortController()
        leave = () => waiting.abort()
        opened = new Promise((resolve) => {
          setTimeout(resolve, OPENING_MS)
          const onWait = () => {
            isWaiting = true
            resolve()
          }
          void inFewTabs(() => listen(resolve), { signal: waiting.signal, onWait }).finally(resolve)
        })
      }
      await opened
      const release = () => {
        calls -= 1
        if (calls > 0) return
        leave()
        end()
        isWaiting = false
      }
      return { release, isUnheard: isWaiting }
    },
  }
}
