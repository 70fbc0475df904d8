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
    // Each is searched again only when it was passed: a body may have one of the two alone, a million times.
    let lf = text.indexOf('\n')
    let cr = hasCr ? text.indexOf('\r') : -1
    for (;;) {
      if (lf >= 0 && lf < at) lf = text.indexOf('\n', at)
      if (cr >= 0 && cr < at) cr = text.indexOf('\r', at)
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

  function keepOtherText(text: string): void {
    if (other.length < MAX_OTHER_CHARS) other += `${other === '' ? '' : '\n'}${text}`.slice(0, MAX_OTHER_CHARS)
  }

  function say(value: unknown): void {
    if (eventName === 'error') events.push({ kind: 'error', value })
    else if (isRecord(value)) events.push({ kind: 'chunk', value })
    else if (Array.isArray(value)) value.forEach((item: unknown) => !Array.isArray(item) && say(item))
    else if (isDone(value)) events.push({ kind: 'done' })
    else sayText(String(value))
  }

  /** A text as data: some gateways encode each chunk twice. */
  function sayText(text: string): void {
    const inner = startsJson(text) ? readJson(text) : undefined
    if (isRecord(inner)) say(inner)
    else keepOtherText(text)
  }

  /** The event has ended: its waiting data is read as one value, else line by line. */
  function flush(): void {
    if (waiting.length === 0) return
    const held = waiting
    waiting = []
    waitingChars = 0
    const whole = held.length > 1 ? readJson(held.join('\n')) : undefined
    if (whole !== undefined) return say(whole)
    for (const line of held) {
      const values = readValues(line)
      if (values) values.forEach(say)
      else if (eventName === 'error') events.push({ kind: 'error', value: line })
      else events.push({ kind: 'unreadable', text: line })
    }
  }

  function hold(data: string): void {
    waiting.push(data)
    waitingChars += data.length
    if (waitingChars > MAX_EVENT_CHARS) throw new EventTooLong()
  }

  function readData(sent: string): void {
    const data = sent.startsWith('data:') ? sent.replace(/^(?:data:\s*)+/, '') : sent
    if (isDone(data)) {
      flush()
      events.push({ kind: 'done' })
    } else if (waiting.length > 0) hold(data)
    else if (data !== '') {
      const value = readJson(data)
      if (value !== undefined) say(value)
      else if (startsJson(data)) hold(data)
      else if (eventName === 'error') events.push({ kind: 'error', value: data })
      else keepOtherText(data)
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
    if (isPage) return keepOtherText(line)
    if (waiting.length > 0) return hold(line)
    const [, field, value = ''] = /^(data|event|id|retry|error)(?:[ \t]{0,8}: ?(.*))?$/is.exec(line) ?? []
    const name = field?.toLowerCase()
    if (name === 'data') readData(value)
    else if (name === 'event') eventName = value.trim().toLowerCase()
    else if (name === 'error') events.push({ kind: 'error', value: readJson(value) ?? value })
    else if (name === undefined) {
      const text = line.trimStart()
      if (startsJson(text) || isDone(text)) readData(text)
      else if (text.startsWith('data:')) readLine(text)
      else keepOtherText(line)
    }
  }

  const taken = () => {
    const texts = events
    events = []
    return texts
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

/** Undefined: no JSON, or several values. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return readValues(text, 1)?.[0]
  }
}

const word = /-?(?:NaN|Infinity)\b/y
const betweenValues = /^[\s,]*(?:data:\s*)?$/

/**
 * The values in a text that is no strict JSON: several in a row (at most `most`), `NaN` and `Infinity`, which Python
 * servers write and which become null, and control characters that are not escaped. Null: it holds something else.
 */
function readValues(text: string, most = 1_000): readonly unknown[] | null {
  const values: unknown[] = []
  /** Corrected pieces of the value that is read, and the end of what they contain. */
  let pieces: string[] = []
  let taken = 0
  let depth = 0
  let isText = false

  let corrections = 0

  function correct(at: number, end: number, by: string): void {
    pieces.push(text.slice(taken, at), by)
    taken = end
    corrections += 1
  }

  for (let at = 0; at < text.length; at += 1) {
    if (corrections > MAX_CORRECTIONS) return null
    const code = text.charCodeAt(at)
    if (isText) {
      if (code === BACKSLASH) at += 1
      else if (code === QUOTE) isText = false
      else if (code < 0x20) correct(at, at + 1, `\\u${code.toString(16).padStart(4, '0')}`)
    } else if (code === QUOTE) isText = true
    else if (code === OBJECT || code === LIST) {
      if (depth === 0) {
        if (values.length >= most || !betweenValues.test(text.slice(taken, at))) return null
        taken = at
      }
      depth += 1
    } else if (code === OBJECT_END || code === LIST_END) {
      depth -= 1
      if (depth < 0) return null
      if (depth > 0) continue
      pieces.push(text.slice(taken, at + 1))
      try {
        values.push(JSON.parse(pieces.join('')))
      } catch {
        return null
      }
      pieces = []
      taken = at + 1
    } else if (depth > 0 && (code === 0x4e || code === 0x49 || code === 0x2d)) {
      word.lastIndex = at
      const [found] = word.exec(text) ?? []
      if (found === undefined) continue
      correct(at, at + found.length, 'null')
      at += found.length - 1
    }
  }
  return depth === 0 && !isText && values.length > 0 && betweenValues.test(text.slice(taken)) ? values : null
}

/** A text that needs more is no JSON. */
const MAX_CORRECTIONS = 100_000
const [QUOTE, BACKSLASH, OBJECT, OBJECT_END, LIST, LIST_END] = [0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d] as const
