import { plainWordsOf, type PlainWords } from './plain-chunk'

const LF = 10
const CR = 13
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** What a piece of a body of server-sent events holds. */
export interface PlainEvents {
  /** Words of its plain events, in order. */
  readonly words: readonly PlainWords[]
  /** The first plain event of the body, as JSON; null: it was before, or is to come. */
  readonly first: string | null
  /** From the first event on that is something else: this body is read no further here. Null: all was plain. */
  readonly rest: Uint8Array | null
}

/**
 * Reads events as long as each is one line of `data:` with a plain chunk, behind LF or CRLF, or a comment. Pieces may be
 * cut anywhere: what is not whole yet waits for the next one.
 */
export function createPlainEvents() {
  let waiting: Uint8Array = new Uint8Array()
  let seenFirst = false
  let isBegun = false

  /** Behind a blank line: a byte order mark in the middle of a body is none at the start of the rest. */
  const restOf = (bytes: Uint8Array) => (isBegun && bytes.length > 0 ? joined(Uint8Array.of(LF), bytes) : bytes)

  return {
    /** What never became whole. */
    left: () => restOf(waiting),

    read(piece: Uint8Array): PlainEvents {
      const bytes = waiting.length === 0 ? piece : joined(waiting, piece)
      const words: PlainWords[] = []
      let first: string | null = null
      let at = 0
      for (;;) {
        const event = eventAt(bytes, at)
        if (event === 'cut') break
        const data = event === 'other' ? null : dataOf(event.line)
        const said = data === null || data === '' ? null : plainWordsOf(data)
        if (event === 'other' || data === null || (data !== '' && said === null)) {
          waiting = new Uint8Array()
          return { words, first, rest: restOf(bytes.subarray(at)) }
        }
        if (said) {
          words.push(said)
          if (!seenFirst) first = data
          seenFirst = true
        }
        at = event.end
        isBegun = true
      }
      waiting = bytes.subarray(at)
      return { words, first, rest: null }
    },
  }
}

/** One line and the blank line behind it; `other`: more lines than one. A blank line alone is an event without a line. */
function eventAt(bytes: Uint8Array, at: number): { readonly line: string; readonly end: number } | 'cut' | 'other' {
  const lf = bytes.indexOf(LF, at)
  if (lf < 0) {
    const cr = bytes.indexOf(CR, at)
    // Lines that end with CR alone.
    return cr >= 0 && cr < bytes.length - 1 ? 'other' : 'cut'
  }
  const lineEnd = lf > at && bytes[lf - 1] === CR ? lf - 1 : lf
  if (lineEnd === at) return { line: ':', end: lf + 1 }
  const line = decoder.decode(bytes.subarray(at, lineEnd))
  if (line.includes('\r')) return 'other'
  const next = lf + 1
  if (bytes[next] === LF) return { line, end: next + 1 }
  if (bytes[next] === CR && bytes[next + 1] === LF) return { line, end: next + 2 }
  const isCut = next >= bytes.length || (bytes[next] === CR && next + 1 >= bytes.length)
  return isCut ? 'cut' : 'other'
}

/** The data of a line; empty for a comment, null for any other field. */
function dataOf(line: string): string | null {
  if (line.startsWith(':')) return ''
  if (!line.startsWith('data:')) return null
  return line.startsWith('data: ') ? line.slice(6) : line.slice(5)
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length)
  both.set(a)
  both.set(b, a.length)
  return both
}
