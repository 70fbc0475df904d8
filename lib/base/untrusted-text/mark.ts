/**
 * How untrusted text is read: `code` is run or compared letter by letter; a `name` is a path, a key, an address or a
 * tool's name; `prose` is written for people, in any script.
 */
export type TextKind = 'code' | 'name' | 'prose'

export type MarkKind =
  /** Takes no space: zero-width characters, tags, fillers, selectors without an emoji. */
  | 'invisible'
  /** Changes the direction in which letters are drawn. */
  | 'direction'
  | 'control'
  /** Ends a line in some languages, but is invisible. */
  | 'line-end'
  /** A blank other than the plain space, or so many blanks that they push text out of view. */
  | 'blank'
  /** Looks like another letter or sign. */
  | 'look-alike'
  /** Has no shared meaning: private use, noncharacters, half a surrogate pair. */
  | 'meaningless'
  /** Stacked over the letter before it. */
  | 'piled'

/**
 * A place in a text with hidden or misleading characters. Offsets are UTF-16 units; `count` is the number of characters
 * of one kind.
 */
export interface Mark {
  readonly kind: MarkKind
  readonly start: number
  readonly end: number
  readonly count: number
  /** The label: "U+202E", "U+200B × 12", "120 blanks". */
  readonly label: string
}

/** "U+202E". */
export const codePointLabel = (code: number): string => `U+${code.toString(16).toUpperCase().padStart(4, '0')}`

/** A mark with some letters on both sides; never splits a surrogate pair. */
export const markContext = (text: string, { start, end }: Pick<Mark, 'start' | 'end'>, letters = 16): string => {
  const before = text.slice(Math.max(0, start - letters), start).replace(/^[\udc00-\udfff]/, '')
  const after = text.slice(end, end + letters).replace(/[\ud800-\udbff]$/, '')
  return `${before}${text.slice(start, Math.min(end, start + 4 * letters))}${after}`
}

/**
 * Files that people read: their scripts and emoji keep the characters they need. Any other file may be run or compared.
 */
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

/** The file extension in lower case, without its dot; '' for none. */
export const endingOf = (path: string): string => /\.([A-Za-z0-9]{1,8})$/.exec(path)?.[1]?.toLowerCase() ?? ''

/** How to read the text of a file, by its name. */
export const readingOfFile = (path: string): TextKind => (proseEndings.has(endingOf(path)) ? 'prose' : 'code')

const asciiOnly = /^[\u0020-\u007e]*$/

/**
 * Text between blanks, brackets and quotes. No search here extends beyond such a piece, so the text is scanned once.
 */
const piece = /[^\s<>"'()[\]{}]+/gu
/** An address names its host within this many characters. */
const MAX_ADDRESS = 300
/** A host, as far as its letters go, that ends like a domain. */
const host = /^(?:[\p{L}\p{M}\p{N}_-]+\.)+[a-z]{2,24}(?![\p{L}\p{M}\p{N}_])/iu

/** Addresses in prose: with a scheme, e-mail addresses, or hosts. */
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
