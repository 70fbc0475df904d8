/**
 * Yields the complete lines of a byte stream, in order. UTF-8 sequences and lines may be split anywhere. A last line
 * without its line feed is dropped, since it may be cut. Blank lines are keep-alives and are yielded as ''.
 */
export async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader()
  // Without `ignoreBOM`, a first line that begins with U+FEFF would lose it.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const pieces: string[] = []
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const parts = decoder.decode(value, { stream: true }).split('\n')
      for (const [index, part] of parts.entries()) {
        pieces.push(part)
        if (index === parts.length - 1) break
        yield pieces.join('').replace(/\r$/, '')
        pieces.length = 0
      }
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}
