import { isRecord } from '@/lib/base/json'

/** Longest event, in characters: a whole reply of the largest size fits, escaped as `\\uXXXX`. */
const MAX_EVENT_CHARS = 16_000_000

/** A body that is longer than any reply. */
export class EventTooLong extends Error {
  constructor() {
    super('the server sent an event that is longer than any reply')
    this.name = 'EventTooLong'
  }
}

/** Splits a body of UTF-8 into lines, which end with LF, CR or both. Throws `EventTooLong` on a line without an end. */
function createLineReader() {
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
    /** The last line needs no line ending. */
    end(take: (line: string) => void): void {
      readText(decoder.decode(), take)
      const line = cut.join('')
      cut = []
      if (line !== '') take(line)
    },
  }
}

/** One item in the body of a reply. */
export type BodyEvent =
  | { readonly kind: 'chunk'; readonly value: Readonly<Record<string, unknown>> }
  /** `[DONE]`. */
  | { readonly kind: 'done' }
  /** An event or a line that is named `error`. */
  | { readonly kind: 'error'; readonly value: unknown }
  /** Data that should be JSON and is not. */
  | { readonly kind: 'unreadable'; readonly text: string }

/** Characters of other text that are kept for the details of a failure. */
const MAX_OTHER_CHARS = 2_000

/**
 * Reads the body of a reply, in pieces that may be cut anywhere: server-sent events, one JSON value per line, or one
 * JSON value in all. Tolerates what servers do: any line ending, events without a blank line between them, data over
 * several lines, comments, byte order marks. An event is read as soon as its data is complete, without waiting for the
 * blank line after it.
 */
export function createEventReader() {
  const lines = createLineReader()
  /** Data of an incomplete event. */
  let waiting: string[] = []
  let waitingChars = 0
  let eventName = ''
  let isPage: boolean | null = null
  let other = ''
  let events: BodyEvent[] = []

  function noteOther(text: string): void {
    if (other.length < MAX_OTHER_CHARS) other += `${other === '' ? '' : '\n'}${text}`.slice(0, MAX_OTHER_CHARS)
  }

  function say(value: unknown): void {
    if (eventName === 'error') events.push({ kind: 'error', value })
    else if (isRecord(value)) events.push({ kind: 'chunk', value })
    else if (Array.isArray(value)) value.forEach(say)
    else if (isDone(value)) events.push({ kind: 'done' })
    else noteOther(String(value))
  }

  /** The event has ended: its waiting data is read as one value, else line by line. */
  function flush(): void {
    if (waiting.length === 0) return
    const held = waiting
    waiting = []
    waitingChars = 0
    const whole = readJson(held.join('\n'))
    if (whole !== undefined) return say(whole)
    for (const line of held) {
      const value = readJson(line)
      if (value !== undefined) say(value)
      else if (eventName === 'error') events.push({ kind: 'error', value: line })
      else events.push({ kind: 'unreadable', text: line })
    }
  }

  function hold(data: string): void {
    waiting.push(data)
    waitingChars += data.length
    if (waitingChars > MAX_EVENT_CHARS) throw new EventTooLong()
  }

  function readData(data: string): void {
    if (isDone(data)) {
      flush()
      events.push({ kind: 'done' })
    } else if (waiting.length > 0) hold(data)
    else if (data !== '') {
      const value = readJson(data)
      if (value !== undefined) say(value)
      else if (startsJson(data)) hold(data)
      else if (eventName === 'error') events.push({ kind: 'error', value: data })
      else noteOther(data)
    }
  }

  function readLine(raw: string): void {
    const line = raw.startsWith('\uFEFF') ? raw.slice(1) : raw
    if (line.startsWith('data:')) readData(line.slice(line.startsWith('data: ') ? 6 : 5))
    else if (line === '') {
      flush()
      eventName = ''
    } else if (!line.startsWith(':')) readOther(line)
  }

  function readOther(line: string): void {
    isPage ??= line.trimStart().startsWith('<')
    if (isPage) return noteOther(line)
    if (waiting.length > 0) return hold(line)
    const [, name, value = ''] = /^(event|id|retry|error)(?:: ?(.*))?$/.exec(line) ?? []
    if (name === 'event') eventName = value.trim().toLowerCase()
    else if (name === 'error') events.push({ kind: 'error', value: readJson(value) ?? value })
    else if (name === undefined) {
      const text = line.trimStart()
      if (startsJson(text)) readData(text)
      else if (text.startsWith('data:')) readLine(text)
      else noteOther(line)
    }
  }

  const taken = () => {
    const said = events
    events = []
    return said
  }

  return {
    read(piece: Uint8Array): readonly BodyEvent[] {
      lines.read(piece, readLine)
      return taken()
    },
    /** The body has ended: the rest is read if it is complete. */
    end(): readonly BodyEvent[] {
      lines.end(readLine)
      flush()
      return taken()
    },
    /** The beginning of other text, and whether it is a web page. */
    other: () => ({ text: other, isPage: isPage === true }),
  }
}

const isDone = (value: unknown): boolean => typeof value === 'string' && /^\s*"?\[DONE\]"?\s*$/i.test(value)

const startsJson = (text: string): boolean => /^\s*[{[]/.test(text)

/** Undefined: no JSON. `NaN` and `Infinity`, which Python servers write, become null. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    if (!/NaN|Infinity/.test(text)) return undefined
  }
  try {
    return JSON.parse(
      text.replaceAll(/"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g, (found) => (found.startsWith('"') ? found : 'null')),
    )
  } catch {
    return undefined
  }
}
