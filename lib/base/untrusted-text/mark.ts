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

/*
 * Which characters are invisible. Derived from Unicode's own properties, so that no list here gets outdated: everything
 * in the categories Cf, Cc, Zl, Zp, Co, Cs, everything default-ignorable, noncharacters, and blanks other than the
 * plain space. Characters that a script or an emoji needs (joiners in Persian and Hindi, the variation selector of a
 * heart) stay unmarked only in prose.
 */

const bidi = /^[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]$/
/** Format characters that are visible: number signs of Arabic, Syriac and Kaithi. */
const drawn = /^[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]$/u
const unseen = /^[\p{Cf}\p{Default_Ignorable_Code_Point}]$/u
/** Invisible, though by category a letter or a sign. */
const filler = /^[\u2800\ufffc\u{16fe4}\u{1d159}\u{13441}\u{13442}]$/u
const otherSpace = /^(?! )\p{Zs}$/u
const privateUse = /^\p{Co}$/u
const halfOfOne = /^\p{Cs}$/u
const isNonCharacter = (code: number) => (code & 0xfffe) === 0xfffe || (code >= 0xfdd0 && code <= 0xfdef)

/**
 * What kind of hidden character this is, judged by itself; null: it is visible. Line feeds are plain, and so are tabs
 * except in names.
 */
export function hiddenKind(character: string, reading: TextKind): MarkKind | null {
  const code = character.codePointAt(0) ?? 0
  if (code >= 0x20 && code < 0x7f) return null
  if (code === 0x0a || code === 0x09) return reading === 'name' ? 'control' : null
  if (code === 0x0b || code === 0x0c || code === 0x0d || code === 0x85 || code === 0x2028 || code === 0x2029) {
    return 'line-end'
  }
  if (code < 0xa0) return 'control'
  if (bidi.test(character)) return 'direction'
  if (drawn.test(character)) return reading === 'prose' ? null : 'invisible'
  if (unseen.test(character) || filler.test(character)) return 'invisible'
  if (otherSpace.test(character)) return reading === 'prose' ? null : 'blank'
  if (privateUse.test(character) || halfOfOne.test(character) || isNonCharacter(code)) return 'meaningless'
  return null
}

/** Scripts whose letters are joined and separated by U+200C and U+200D. */
const joining =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Myanmar}\p{Script=Khmer}]/u
const pictograph = /\p{Extended_Pictographic}/u
const drawnInColour = /\p{Emoji_Presentation}/u
const beforeJoiner = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]/u
const han = /\p{Script=Han}/u
const mongolian = /\p{Script=Mongolian}/u
const blackFlag = 0x1f3f4
/** The flags that are written with tag characters: England, Scotland, Wales. */
const tagFlags = new Set(['gbeng', 'gbsct', 'gbwls'].map((name) => tagsOf(name)))

function tagsOf(name: string): string {
  return Array.from(`${name}\u007f`, (letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0))).join('')
}

/**
 * How many UTF-16 units from `at` on belong to the visible text, because the script or the emoji needs them; 0: none.
 * `before` and `after` are the neighboring characters.
 */
export function neededUnits(text: string, at: number, before: string, reading: TextKind): number {
  const code = text.codePointAt(at) ?? 0
  if (code === 0xfe0f) {
    // Without the selector, this character is drawn as a plain sign, so the two look different.
    if (pictograph.test(before) && !drawnInColour.test(before)) return 1
    return reading === 'prose' && (pictograph.test(before) || isKeycap(text, at, before)) ? 1 : 0
  }
  if (reading !== 'prose') return 0
  const after = characterAt(text, at + (code > 0xffff ? 2 : 1))
  switch (code) {
    case 0x200d:
      if (beforeJoiner.test(before) && pictograph.test(after)) return 1
      return joining.test(before) && (joining.test(after) || /^$|[\s\p{P}]/u.test(after)) ? 1 : 0
    case 0x200c:
      return joining.test(before) && joining.test(after) ? 1 : 0
    case 0xfe0e:
      return pictograph.test(before) ? 1 : 0
    case 0xfe00:
    case 0xfe01:
    case 0xfe02:
      return han.test(before) ? 1 : 0
  }
  if (code >= 0xe0100 && code <= 0xe01ef) return han.test(before) ? 2 : 0
  if ((code >= 0x180b && code <= 0x180d) || code === 0x180f) return mongolian.test(before) ? 1 : 0
  if (before.codePointAt(0) === blackFlag) {
    for (const tags of tagFlags) if (text.startsWith(tags, at)) return tags.length
  }
  return 0
}

/** Whether the character at `at` is part of an emoji that is drawn as one: 👨‍👩‍👧 does not look like 👨👩👧. */
export function belongsToEmoji(text: string, at: number): boolean {
  const before = Array.from(text.slice(Math.max(0, at - 2), at)).at(-1) ?? ''
  const isWriting = [joining, han, mongolian].some((script) => script.test(before))
  return !isWriting && neededUnits(text, at, before, 'prose') > 0
}

const isKeycap = (text: string, at: number, before: string): boolean =>
  /^[0-9#*]$/.test(before) && text.codePointAt(at + 1) === 0x20e3

const characterAt = (text: string, at: number): string => {
  const code = text.codePointAt(at)
  return code === undefined ? '' : String.fromCodePoint(code)
}
