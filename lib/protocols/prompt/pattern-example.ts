/*
 * A short text that a pattern of a JSON schema accepts, for examples: `^[A-Z]{3}$` → `AAA`. It writes the least that the
 * pattern asks for: first alternatives, first letters of classes, smallest counts. What it does not know (look-around,
 * references, property escapes) it leaves out; whatever comes of it counts only when the pattern itself accepts it.
 */

/** Longer than any pattern that people write; a longer one is left alone. */
const MAX_PATTERN = 300
const MAX_REPEATS = 64

/** `wished` if the pattern accepts it, else the shortest text found; null: none was found. */
export function exampleOfPattern(pattern: string, wished: string): string | null {
  if (pattern.length > MAX_PATTERN) return null
  let accepts: RegExp
  try {
    accepts = new RegExp(pattern, 'u')
  } catch {
    return null
  }
  const written = writeLeast(pattern)
  return [wished, ...(written === null ? [] : [written])].find((text) => accepts.test(text)) ?? null
}

function writeLeast(pattern: string): string | null {
  const reader = { at: 0, pattern }
  const text = alternatives(reader)
  return reader.at === pattern.length ? text : null
}

interface Reader {
  at: number
  readonly pattern: string
}

/** The first alternative counts; the others are only read over. */
function alternatives(reader: Reader): string {
  let first: string | null = null
  do {
    const text = sequence(reader)
    first ??= text
  } while (take(reader, '|'))
  return first
}

function sequence(reader: Reader): string {
  let text = ''
  while (reader.at < reader.pattern.length && !'|)'.includes(reader.pattern[reader.at] ?? '')) {
    const item = atom(reader)
    text += item.repeat(leastCount(reader))
  }
  return text
}

function take(reader: Reader, text: string): boolean {
  if (!reader.pattern.startsWith(text, reader.at)) return false
  reader.at += text.length
  return true
}

function match(reader: Reader, sticky: RegExp): RegExpExecArray | null {
  sticky.lastIndex = reader.at
  const found = sticky.exec(reader.pattern)
  if (found) reader.at += found[0].length
  return found
}

function leastCount(reader: Reader): number {
  const found = match(reader, /[*+?]\??|\{(\d+)(?:,\d*)?\}\??/y)
  if (!found) return 1
  if (found[1] !== undefined) return Math.min(Number(found[1]), MAX_REPEATS)
  return found[0].startsWith('+') ? 1 : 0
}

const ESCAPES: Readonly<Record<string, string>> = { d: '1', w: 'a', s: ' ', D: 'a', W: '-', S: 'a', n: '\n', t: '\t' }

function atom(reader: Reader): string {
  if (take(reader, '^') || take(reader, '$') || match(reader, /\\[bB]/y)) return ''
  if (take(reader, '(')) {
    const isLookAround = match(reader, /\?(?:<?[=!])/y) !== null
    match(reader, /\?(?::|<\w+>)/y)
    const text = alternatives(reader)
    take(reader, ')')
    return isLookAround ? '' : text
  }
  if (take(reader, '.')) return 'a'
  if (take(reader, '[')) return classMember(reader)
  const escape = match(reader, /\\u([\da-fA-F]{4})|\\(.)/uy)
  if (escape) return escapeText(escape)
  return match(reader, /[^]/uy)?.[0] ?? ''
}

const escapeText = ([, code, letter = '']: readonly (string | undefined)[]): string =>
  code === undefined ? (ESCAPES[letter] ?? letter) : String.fromCharCode(Number.parseInt(code, 16))

/** Of those that are named, the first; of `[^…]` the first usual letter that is not named. */
function classMember(reader: Reader): string {
  const start = reader.at - 1
  const isNot = take(reader, '^')
  let first: string | null = null
  while (reader.at < reader.pattern.length && !take(reader, ']')) {
    const escape = match(reader, /\\u([\da-fA-F]{4})|\\(.)/uy)
    const member = escape ? escapeText(escape) : (match(reader, /[^]/uy)?.[0] ?? '')
    first ??= member
  }
  if (!isNot) return first ?? ''
  const inClass = new RegExp(reader.pattern.slice(start, reader.at), 'u')
  return Array.from('a1A- ').find((letter) => inClass.test(letter)) ?? ''
}
