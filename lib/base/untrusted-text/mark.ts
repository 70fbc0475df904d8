/**
 * How a text that others wrote is read: `code` runs or is compared letter by letter, a `name` is a path, a key, an address
 * or a tool's name, `prose` is written for people, in any of their scripts.
 */
export type TextKind = 'code' | 'name' | 'prose'

export type MarkKind =
  /** Takes no room: zero-width, tags, fillers, selectors without an emoji. */
  | 'invisible'
  /** Turns the order in which letters stand. */
  | 'direction'
  | 'control'
  /** Ends a line in some languages, and looks like nothing at all. */
  | 'line-end'
  /** A blank that is not the plain one, or so many that they push text away. */
  | 'blank'
  /** Looks like another letter or sign. */
  | 'look-alike'
  /** Means nothing that readers share: private use, no character at all, half of one. */
  | 'meaningless'
  /** Written over the letter before it. */
  | 'piled'

/** A place in a text that does not show what it is. Offsets are UTF-16 units; `count` characters of one kind stand there. */
export interface Mark {
  readonly kind: MarkKind
  readonly start: number
  readonly end: number
  readonly count: number
  /** What is shown: "U+202E", "U+200B × 12", "120 blanks". */
  readonly label: string
}

/** "U+202E". */
export const codePointLabel = (code: number): string => `U+${code.toString(16).toUpperCase().padStart(4, '0')}`

/** A mark with some letters on both sides of it; no half characters. */
export const markContext = (text: string, { start, end }: Pick<Mark, 'start' | 'end'>, letters = 16): string => {
  const before = text.slice(Math.max(0, start - letters), start).replace(/^[\udc00-\udfff]/, '')
  const after = text.slice(end, end + letters).replace(/[\ud800-\udbff]$/, '')
  return `${before}${text.slice(start, Math.min(end, start + 4 * letters))}${after}`
}

/** Files that people read: their scripts and emoji keep what they need. Everything else may be run or compared. */
const proseEndings: ReadonlySet<string> = new Set([
  '',
  'md',
  'markdown',
  'txt',
  'text',
  'rst',
  'adoc',
  'csv',
  'tsv',
  'log',
  'srt',
  'tex',
])

/** The ending of a file's name in lower case, without its dot; '' for none. */
export const endingOf = (path: string): string => /\.([A-Za-z0-9]{1,8})$/.exec(path)?.[1]?.toLowerCase() ?? ''

/** How the text of a file is to be read, by its name. */
export const readingOfFile = (path: string): TextKind => (proseEndings.has(endingOf(path)) ? 'prose' : 'code')

const asciiOnly = /^[\u0020-\u007e]*$/

/** What is between blanks, brackets and quotes. Nothing here looks further than that: a text is gone through once. */
const piece = /[^\s<>"'()[\]{}]+/gu
/** No address is longer where it names its host. */
const MAX_ADDRESS = 300
/** A host, as far as its letters go, that ends as hosts do. */
const host = /^(?:[\p{L}\p{M}\p{N}_-]+\.)+[a-z]{2,24}(?![\p{L}\p{M}\p{N}_])/iu

/** Addresses in prose: with a scheme, of mail, or a host. */
export function* addressesIn(text: string): Generator<{ readonly index: number; readonly address: string }> {
  for (const { 0: found, index } of text.matchAll(piece)) {
    if (asciiOnly.test(found)) continue
    const address = found.slice(0, MAX_ADDRESS)
    const isAddress =
      address.includes('://') ||
      /^www\./i.test(address) ||
      (address.includes('.') && (address.includes('@') || host.test(address)))
    if (isAddress) yield { index, address }
  }
}
