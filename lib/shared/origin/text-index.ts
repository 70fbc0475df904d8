import { isJsonObject, type JsonValue } from '@/lib/base/json'
import {
  beginsOrder,
  CHINESE_OR_JAPANESE,
  classesOf,
  classesOfPhrases,
  DESCRIBES,
  DESCRIPTION_CUE,
  mayBeImperative,
  ORDER_CUE,
  inTwoForms,
  PLAIN,
  stem,
} from './lexicon'

/*
 * What a text from outside asks for: its sentences that give an order, in every reading of it (encoded parts included),
 * with their words. Pure; about 0.4 s per MB, so it is built once per text and limited by the caller.
 */

/** One sentence that gives an order. Words are stored as numbers: the index of a megabyte takes less than five. */
export interface Order {
  /** Unchanged, as in the text. */
  readonly text: string
  readonly words: readonly number[]
  /** What it asks for, as bits (`classesOf`). */
  readonly asks: number
  /** It reads like the description of a tool ("Search for products based on a category"). */
  readonly describes: boolean
  /** It has no verb that orders, and reads like a statement ("The new function goes in …"). */
  readonly states: boolean
  /** Its position in `searched`, with the next sentence if that is short: values often follow the order. */
  readonly start: number
  readonly end: number
}

export interface TextIndex {
  /** The whole text in all its readings, normalized, one sentence per line. */
  readonly searched: string
  readonly words: ReadonlySet<number>
  readonly orders: readonly Order[]
}

export const normalize = (text: string): string => normalForm(text, PLAIN.test(text))

const normalForm = (text: string, isPlain: boolean): string =>
  isPlain
    ? (text.includes('  ') ? text.replaceAll(/ +/g, ' ') : text).toLowerCase().trim()
    : text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim()

/** Strings and numbers of a JSON value, as texts; names of members are not values. */
export function leavesOf(value: JsonValue): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number') return [String(value)]
  if (Array.isArray(value)) return value.flatMap(leavesOf)
  return isJsonObject(value) ? Object.values(value).flatMap(leavesOf) : []
}

/** A word as a number below 2^30; collisions are as rare as they are harmless. */
export function wordNumber(word: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < word.length; at += 1) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193)
  return (hash >>> 2) ^ (hash & 3)
}

/** Stems of a text; for Chinese and Japanese, pairs of characters. */
export function stemsOf(text: string): readonly string[] {
  const stems: string[] = []
  for (const run of runsOf(text)) addStems(run, stems)
  return stems
}

/** Runs of letters and digits. */
const runsOf = (text: string, isPlain = PLAIN.test(text)): readonly string[] =>
  text.match(isPlain ? /[A-Za-z\d]+/g : /[\p{L}\p{N}]+/gu) ?? []

function addStems(run: string, stems: string[]): void {
  // Most words, and names that are cut take most of the time.
  if (/^[A-Z]?[a-z]+$/.test(run)) stems.push(stem(run.toLowerCase()))
  else if (CHINESE_OR_JAPANESE.test(run))
    for (let at = 0; at + 1 < run.length; at += 1) stems.push(run.slice(at, at + 2))
  else for (const word of wordsOfName(run)) stems.push(stem(word))
}

/** Words repeat often; this many runs of a usual length are cached. */
const MAX_RUNS = 20_000
const MAX_RUN_CHARS = 24
/** Most have one number, which takes no list. */
const numbersByRun = new Map<string, number | readonly number[]>()

function numbersOfRun(run: string): number | readonly number[] {
  const isUsual = run.length <= MAX_RUN_CHARS && run.charCodeAt(0) < 0x80
  const known = isUsual ? numbersByRun.get(run) : undefined
  if (known !== undefined) return known
  const stems: string[] = []
  addStems(run, stems)
  const [only, ...more] = stems.map(wordNumber)
  const numbers = only === undefined ? [] : more.length === 0 ? only : [only, ...more]
  if (!isUsual) return numbers
  if (numbersByRun.size >= MAX_RUNS) numbersByRun.clear()
  // A slice would keep its whole text.
  numbersByRun.set(ownCopy(run), numbers)
  return numbers
}

/** `GmailSendEmail`, `gmail_send_email` → gmail, send, email; `23andMe` → 23and, me. */
export const wordsOfName = (name: string): readonly string[] =>
  name
    .replaceAll(/(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L})(?=\p{N})/gu, ' ')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => /\p{L}/u.test(word))

const SENTENCE_END =
  /(?<=[.!?。！？;；])(?:(?:[\s"']|\\(?!u[\da-f]{4}))+|(?=[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]))|\\n|\n|"\s*[,:}\]]|'\s*[,:}\]]|\s--?>\s|: (?<=\p{L}{3}: )(?=\p{L})/u

/** Sentences; an empty one stands between two paragraphs. */
const sentencesOf = (text: string): readonly string[] =>
  text
    .split(/\n[ \t\r]*\n\s*/)
    .flatMap((paragraph, at) => [
      ...(at === 0 ? [] : ['']),
      ...paragraph.split(SENTENCE_END).filter((part) => part.trim().length > 2),
    ])

/** Quotation marks, list marks and words that join an order to the previous one. */
const LEAD = inTwoForms(
  /^[\s"'`“”„«‘[({*\-–—•>#\d.:,|!]*(?:(?:and|then|also|now|first|next|finally|so|but|or|bitte|por favor|dann|und|et|puis|y)\b[\s,:]*)*/iu,
)
/** "Before Friday, send": the order comes after its condition. */
const CONDITION = inTwoForms(
  /^[^\p{L}]*(?:before|after|when|whenever|once|if|as soon as|while|until|by|on|in|at|for|to|as|since)\s[^,.;:]{1,60},\s*/iu,
)
/** The first word, unless it is the name of something: `logger.info(…)` is code, `Log in` an order. */
const FIRST_WORD = inTwoForms(/^\p{L}+(?=[\s,;!'’]|$)/u)
const KEY = /^[\s"'{[(,\-*]*[\w-]+["']?\s*[:=]\s*(?!\s*$)/

function orderIn(sentence: string, isPlain: boolean, which: 'all' | 'descriptions'): 'order' | 'statement' | null {
  // "Sends a mail" and "Send a mail" describe a tool.
  if (which === 'descriptions') return DESCRIPTION_CUE.test(sentence) ? 'order' : null
  if (!isPlain && CHINESE_OR_JAPANESE.test(sentence)) {
    return ORDER_CUE.test(sentence, false) || asksOf(sentence) !== 0 || HANDLES_A_FILE.test(sentence) ? 'order' : null
  }
  const [key = ''] = KEY.exec(sentence) ?? []
  const text = /\s/.test(key.trim()) ? sentence : sentence.slice(key.length)
  const words = firstWords(text, isPlain)
  if (words < 2) return null
  const order = LEAD.cut(CONDITION.cut(text, isPlain), isPlain)
  if (ordersWithAnyVerb(order, isPlain)) return 'order'
  if (words < 3) return null
  const [first] = FIRST_WORD.exec(order, isPlain) ?? []
  if ((first !== undefined && beginsOrder(first.toLowerCase())) || ORDER_CUE.test(text, isPlain)) return 'order'
  return classesOfPhrases(text, isPlain) === 0 ? null : 'statement'
}

/** The number of words; three are enough to know. */
function firstWords(text: string, isPlain: boolean): number {
  const word = isPlain ? /[\w./@]+/g : /[\p{L}\p{N}_./@]+/gu
  let count = 0
  while (count < 3 && word.test(text)) count += 1
  return count
}

const VERB = /^(\p{L}\p{Ll}+)[\s:]+(.+)$/u
/** A file or an address after a verb, with an article and a noun before it at most. */
const OBJECT = inTwoForms(
  /^(?:(?:the|all|every|any|each|your|my|our|this|that|these|those|both|it|them|us|die|das|den|der|alle|el|la|los|las|todo|le|les|tout)\s(?:[^\s.!?]+\s){0,8}?)?["'`(]*(?:[a-z]+:\/)?(?:[\p{L}\p{N}_.~-]*\/[\p{L}\p{N}_.~@/%+-]*[\p{L}\p{N}]|[\p{L}\p{N}_-]+\.[a-z]{2,5}(?![\p{L}\p{N}])|[^\s@]+@[^\s@]+\.\w+)["'`)]*(.*)$/iu,
)
/** What follows shows that the file is what the sentence is about. */
const PREDICATE = inTwoForms(
  /^[\s,]*(?:\p{L}+ly )?(?:\p{L}{2,}(?:[^s]s|ed)|is|are|was|were|has|have|had|can|could|may|might|must|should|will|would|did|do|ist|sind|war|wird|hat|kann|es|está|son|fue|est|sont)(?![\p{L}\p{N}])/iu,
)

/** 把 and its like begin what is to be done with the object that follows. */
const HANDLES_A_FILE = /^[^\p{L}/]*(?:把|将|將|让|讓)[\s“"'「《`]*[\w.~@-]*[./]\w/u

/** "Wipe /a.csv.": a verb in its plain form with a file or an address as its object, whichever verb it is. */
function ordersWithAnyVerb(text: string, isPlain: boolean): boolean {
  if (!/[/@.]\S/.test(text)) return false
  const [, verb = '', rest = ''] = VERB.exec(text) ?? []
  if (verb === '' || !mayBeImperative(verb.toLowerCase())) return false
  const [, after] = OBJECT.exec(rest.trimEnd(), isPlain) ?? []
  return after !== undefined && /[.!]["'`)]*$/.test(text.trimEnd()) && !PREDICATE.test(after, isPlain)
}

const ESCAPED_BREAK = /\\+[nrt]/g
const SPELLED_BACKWARDS = /backward|revers|rückwärts|mirror|倒/i

/** Paths and names of files. Letters beyond ASCII may be the words around one: Chinese has no gaps. */
const FILE_NAMES = /(?<![a-z\d_.~@-])[a-z\d_.~@-]*\/[a-z\d_.~@/%+-]+|(?<![a-z\d_-])[a-z\d_-]+\.[a-z]{2,5}(?![a-z\d])/gi

/** Whether a sentence has words for an action beside the names of files: `login.py` asks for nothing. */
const asksOf = (sentence: string): number =>
  stemsOf(sentence.replaceAll(FILE_NAMES, ' ')).reduce((found, word) => found | classesOf(word), 0)

/** Words inside links are names of places, and order nothing. */
const withoutAddresses = (text: string): string =>
  text.includes('/') ? text.replaceAll(/\b[a-z][a-z\d+.-]*:\/\/[^\s)\]"'<>]+|\]\([^\s)]*\)/gi, ' ') : text

/**
 * Indexes a text from outside, whatever its format; JSON text is read unchanged. `descriptions`: it describes a tool.
 */
export function indexText(text: string, which: 'all' | 'descriptions' = 'all'): TextIndex {
  const plain = text.replaceAll(ESCAPED_BREAK, '\n')
  const parts = sentencesOf(plain)
  const readings = [parts]
  // Of encoded parts, only the sentences with them: a second reading of everything would double the index.
  for (const part of parts) for (const decoded of decodedIn(part)) readings.push(sentencesOf(decoded))
  if (SPELLED_BACKWARDS.test(plain)) readings.push(parts.map(backwards))
  const words = new Set<number>()
  const orders: Order[] = []
  const lines: string[] = []
  let length = 0
  for (const sentences of readings) {
    const plains = sentences.map((sentence) => PLAIN.test(sentence))
    const normalized = sentences.map((sentence, at) => normalForm(sentence, plains[at] === true))
    for (const [at, sentence] of sentences.entries()) {
      const line = normalized[at] ?? ''
      if (line === '') continue
      const isPlain = plains[at] === true
      const ordinary = isPlain ? withoutAddresses(sentence) : withoutAddresses(sentence).normalize('NFKC')
      const runs = runsOf(ordinary)
      for (const run of runs) {
        const numbers = numbersOfRun(run)
        if (typeof numbers === 'number') words.add(numbers)
        else for (const number of numbers) words.add(number)
      }
      const kind = orderIn(sentence, isPlain, which)
      if (kind !== null) {
        // A value after a colon may be a paragraph of its own.
        const next = normalized[at + 1] || (/[:：]\s*$/.test(sentence) ? (normalized[at + 2] ?? '') : '')
        const end = length + line.length + (sentence.length < 400 && next.length < 200 ? 1 + next.length : 0)
        orders.push({
          text: ownCopy(sentence.trim()),
          words: runs.flatMap(numbersOfRun),
          asks: asksOf(ordinary) | classesOfPhrases(sentence, isPlain),
          describes: DESCRIBES.test(sentence, isPlain) && !ORDER_CUE.test(sentence, isPlain),
          states: kind === 'statement',
          start: length,
          end,
        })
      }
      lines.push(line)
      length += line.length + 1
    }
  }
  return { searched: lines.join('\n'), words, orders }
}

function backwards(text: string): string {
  if (!PLAIN.test(text)) return Array.from(text).toReversed().join('')
  const letters = new Uint8Array(text.length)
  for (let at = 0; at < letters.length; at += 1) letters[at] = text.charCodeAt(letters.length - 1 - at)
  return new TextDecoder().decode(letters)
}

/** A substring keeps the whole string in memory; a character-by-character copy does not. */
const ownCopy = (text: string): string => Array.from(text).join('')

const isPrintable = (text: string): boolean =>
  text.length >= 6 && (text.match(/[\p{L}\p{N} .,:;'"/-]/gu)?.length ?? 0) / text.length > 0.9

function attempt(read: () => string): string | null {
  try {
    return read()
  } catch {
    return null
  }
}

/** Null: these bytes are no text. Most runs of letters are none, and an exception for each would take long. */
const utf8 = (bytes: Uint8Array): string | null =>
  mayBeUtf8(bytes) ? attempt(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes)) : null

function mayBeUtf8(bytes: Uint8Array): boolean {
  let following = 0
  for (const byte of bytes) {
    following = followingIn(byte, following)
    if (following < 0) return false
  }
  return following === 0
}

/** How many bytes must follow to end a character, after this byte of it; -1 if it cannot be in its place. */
function followingIn(byte: number, expected: number): number {
  if (expected > 0) return (byte & 0xc0) === 0x80 ? expected - 1 : -1
  return byte < 0x80 ? 0 : byte > 0xf4 || byte < 0xc2 ? -1 : byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3
}

const fromHex = (text: string) => utf8(Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)))

/** Of Base64 in both alphabets, by character code; 255 for no letter. */
const valueOfLetter = new Uint8Array(128).fill(255)
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
for (let at = 0; at < LETTERS.length; at += 1) valueOfLetter[LETTERS.charCodeAt(at)] = at
valueOfLetter['-'.charCodeAt(0)] = 62
valueOfLetter['_'.charCodeAt(0)] = 63

const MIN_ENCODED = 16
const isLetter = (text: string, at: number): boolean => (valueOfLetter[text.charCodeAt(at)] ?? 255) < 255

/** Whether 16 such letters follow each other: looks at every 16th character, because most words are shorter. */
function holdsLongRun(text: string): boolean {
  for (let at = MIN_ENCODED - 1; at < text.length; at += MIN_ENCODED) {
    let [from, to] = [at, at]
    if (!isLetter(text, at)) continue
    while (isLetter(text, from - 1)) from -= 1
    while (isLetter(text, to + 1)) to += 1
    if (to - from + 1 >= MIN_ENCODED) return true
  }
  return false
}

/** By hand: most runs of letters are no text by their first bytes, and `atob` would decode the rest. */
function fromBase64(text: string): string | null {
  const end = text.endsWith('==') ? text.length - 2 : text.endsWith('=') ? text.length - 1 : text.length
  const isComplete = text.length === end || text.length % 4 === 0
  if (end % 4 === 1 || !isComplete) return null
  const bytes = new Uint8Array(Math.floor((end * 3) / 4))
  let following = 0
  let bits = 0
  let at = 0
  for (let letter = 0; letter < end; letter += 1) {
    bits = (bits << 6) | (valueOfLetter[text.charCodeAt(letter)] ?? 0)
    if (letter % 4 === 0) continue
    const byte = (bits >> (6 - 2 * (letter % 4))) & 0xff
    following = followingIn(byte, following)
    if (following < 0) return null
    bytes[at] = byte
    at += 1
  }
  return following === 0 ? utf8(bytes) : null
}

/** The encoded parts of a text, decoded: percent, HTML entities, `\u0041`, hexadecimal, Base64. */
function decodedIn(text: string): readonly string[] {
  const found: string[] = []
  if (/%[0-9a-f]{2}/i.test(text)) {
    found.push(text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (run) => attempt(() => decodeURIComponent(run)) ?? run))
  }
  if (/&#x?[\da-f]+;|&[a-z]+;/i.test(text)) {
    found.push(
      text
        .replaceAll(/&#(\d{1,7});/g, (all, code: string) => attempt(() => String.fromCodePoint(Number(code))) ?? all)
        .replaceAll(
          /&#x([\da-f]{1,6});/gi,
          (all, code: string) => attempt(() => String.fromCodePoint(Number.parseInt(code, 16))) ?? all,
        )
        .replaceAll('&quot;', '"')
        .replaceAll('&amp;', '&'),
    )
  }
  if (/\\u[0-9a-f]{4}/i.test(text)) {
    found.push(
      text.replaceAll(/\\+u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    )
  }
  if (!holdsLongRun(text)) return found
  for (const [run] of text.matchAll(/[\w+/-]{16,}={0,2}/g)) {
    const isHex = /^[0-9a-f]+$/i.test(run)
    const decoded = isHex ? fromHex(run) : fromBase64(run)
    if (decoded !== null && isPrintable(decoded) && (isHex || /\s|[\u0080-\uffff]/.test(decoded))) found.push(decoded)
  }
  return found
}
