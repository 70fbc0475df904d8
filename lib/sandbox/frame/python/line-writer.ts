/** A longer piece without a line break is given on as it is: code may write bytes for hours. */
const maxHeld = 16_384

export interface LineWriter {
  /** Takes all bytes, as a file descriptor does; gives their number. */
  readonly write: (bytes: Uint8Array) => number
  /** Gives on what stands on a line that was not ended. */
  readonly flush: () => void
}

/** Makes lines of the bytes that are written to a stream. */
export function lineWriter(emit: (line: string) => void): LineWriter {
  const decoder = new TextDecoder()
  let held = ''
  const take = (text: string) => {
    const lines = (held + text).split('\n')
    held = lines.pop() ?? ''
    for (const line of lines) emit(line.replace(/\r$/, ''))
    if (held.length <= maxHeld) return
    emit(held)
    held = ''
  }
  return {
    write(bytes) {
      take(decoder.decode(bytes, { stream: true }))
      return bytes.length
    },
    flush() {
      take(decoder.decode())
      if (held !== '') emit(held)
      held = ''
    },
  }
}
