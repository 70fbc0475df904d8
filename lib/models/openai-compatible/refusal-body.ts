/** Of a refusal: more of it is no reason. */
const MAX_BYTES = 64 * 1024
/** So long its body may be silent: some servers keep the connection open behind it. */
const SILENCE_MS = 1_000

/** The same refusal with the beginning of its body, which may be endless or never end. */
export async function beginningOf(response: Response): Promise<Response> {
  const { status, statusText, headers } = response
  const reader = response.body?.getReader()
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  for (;;) {
    if (!reader || bytes >= MAX_BYTES) break
    const silence = waitFor(SILENCE_MS)
    const step = await Promise.race([reader.read(), silence.over]).finally(silence.cancel)
    if (step === null || step.done) break
    pieces.push(new Uint8Array(step.value))
    bytes += step.value.length
  }
  void reader?.cancel().catch(() => {})
  return new Response(new Blob(pieces), { status, statusText, headers })
}

function waitFor(ms: number) {
  const { promise: over, resolve } = Promise.withResolvers<null>()
  const timer = setTimeout(() => resolve(null), ms)
  return { over, cancel: () => clearTimeout(timer) }
}
