/** A longer piece without a line break is passed on as it is: code may write bytes for hours. */
const maxHeld = 16_384

export interface LineWriter {
  /** Accepts all bytes, like a file descriptor; returns their number. */
  readonly write: (bytes: Uint8Array) => number
  /** Passes on an unfinished line. */
  readonly flush: () => void
}

/** Splits the bytes written to a stream into lines. */
export function lineWriter(emit: (line: string) => void): LineWriter {
  // A byte-order mark that the code prints is printed.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
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
