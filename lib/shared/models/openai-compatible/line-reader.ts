/** Longest event, in characters: a whole reply of the largest size fits, escaped as `\\uXXXX`. */
export const MAX_EVENT_CHARS = 16_000_000

/** A body that holds more than any reply. */
export class EventTooLong extends Error {
  constructor() {
    super('the server sent an event that is longer than any reply')
    this.name = 'EventTooLong'
  }
}

/** Cuts a body of UTF-8 into lines, which end with LF, CR or both. Throws `EventTooLong` on a line without an end. */
export function createLineReader() {
  const decoder = new TextDecoder()
  /** Of the line that has not ended yet. */
  let cut: string[] = []
  let cutChars = 0
  /** The last piece ended with CR: a line feed at the start of the next one belongs to it. */
  let endedWithCr = false

  function readText(piece: string, take: (line: string) => void): void {
    let text = piece
    if (endedWithCr && text.startsWith('\n')) text = text.slice(1)
    if (text === '') return
    endedWithCr = text.endsWith('\r')
    const hasCr = text.includes('\r')
    if (!hasCr && !text.includes('\n')) {
      cut.push(text)
      cutChars += text.length
      if (cutChars > MAX_EVENT_CHARS) throw new EventTooLong()
      return
    }
    if (cut.length > 0) {
      cut.push(text)
      text = cut.join('')
      cut = []
      cutChars = 0
    }
    let at = 0
    for (;;) {
      const lf = text.indexOf('\n', at)
      const cr = hasCr ? text.indexOf('\r', at) : -1
      const end = cr < 0 ? lf : lf < 0 ? cr : Math.min(cr, lf)
      if (end < 0) break
      take(text.slice(at, end))
      at = end + (end === cr && text[cr + 1] === '\n' ? 2 : 1)
    }
    if (at === text.length) return
    cut.push(text.slice(at))
    cutChars = text.length - at
  }

  return {
    read: (piece: Uint8Array, take: (line: string) => void) => readText(decoder.decode(piece, { stream: true }), take),
    /** The last line needs no end. */
    end(take: (line: string) => void): void {
      readText(decoder.decode(), take)
      const line = cut.join('')
      cut = []
      if (line !== '') take(line)
    },
  }
}
