import type { JsonObject } from '@/lib/base/json'
import {
  CHINESE_OR_JAPANESE,
  classesOf,
  classesOfPhrases,
  GRAVE,
  isEmptyWord,
  isWeakWord,
  READS,
  stem,
  WRITES,
} from './lexicon'
import { onlyAsksToTell, WORKS_ON } from './requests'
import { leavesOf, normalize, type Order, stemsOf, type TextIndex, wordNumber, wordsOfName } from './text-index'

/*
 * Whose idea was a call: the user's, or that of a text from outside (a result, a file, a page)? Decided without a
 * model, from words only. A loud mark says that the user did not ask for it and a text did; it requires a click, and
 * never blocks. A quiet mark says where a value comes from. How often both are right: docs/internals/origin.md.
 */

/** A text that did not come from the user, with a name for it. */
export interface Source<Place = unknown> {
  readonly place: Place
  readonly index: TextIndex
  /** The user named this source and told the model to do what it says. */
  readonly followed?: boolean
  /** Normalized values that existed before the text: it repeats them, so they do not come from it. */
  readonly repeats?: readonly string[]
}

/** All user text in the branch. */
export interface UserText {
  readonly searched: string
  /** Stems, without those in names of files and in addresses. */
  readonly words: ReadonlySet<number>
  /** All stems. */
  readonly held: ReadonlySet<number>
  /** What they ask for, as bits (`classesOf`). */
  readonly asks: number
  /** They ask to read, explain or answer, and for nothing else. */
  readonly isQuestionOnly: boolean
}

export interface CallToMark {
  readonly name: string
  readonly arguments: JsonObject
  /**
   * The tool's declaration: `reads`, it changes nothing anywhere; `acts`, it does. `unknown` is read from the name, and
   * taken to act if the name does not tell.
   */
  readonly effect: 'reads' | 'acts' | 'unknown'
  /** One of ours: words of its name ("file", "python") are in every text and do not count. */
  readonly isBuiltIn?: boolean
}

export interface LoudMark<Place> {
  /**
   * `destination`: an address, number or link that only an order of a text names. `value`: another value. `wish`: the
   * tool. `mention`: the user asked only to be told something, and a sentence names what the call
   * acts on.
   */
  readonly why: 'wish' | 'value' | 'destination' | 'mention'
  readonly place: Place
  /** The sentence that asks for the call, unchanged; for a mention, the one that names the value. */
  readonly order: string
  /** The value in it; left out for a wish. */
  readonly value?: string
  /** The user's text does not ask for what the tool does. */
  readonly isUnasked: boolean
  /** No other text from outside contains the value. */
  readonly isOnlyThere: boolean
  /** The user told the model to follow this source: shown less prominently. */
  readonly isFollowed: boolean
}

export interface OriginMark<Place> {
  readonly loud: LoudMark<Place> | null
  /** Values of the call that a text contains and the user's text does not. */
  readonly values: readonly { readonly value: string; readonly place: Place }[]
  /** A text contains the tool's name. */
  readonly isNamed: boolean
}

/** The best mark so far, before it is known where else its value occurs. */
type Found<Place> = Omit<LoudMark<Place>, 'isOnlyThere'> & { readonly weight: number }

const NAMES =
  /(?<![\p{L}\p{N}])(?:[a-z]+:\/)?[\p{L}\p{N}_.~@-]*\/[^\s"'`()<>]*|[\p{L}\p{N}_-]+\.[a-z]{2,5}(?![\p{L}\p{N}])/giu
const AS_NOUN =
  /\bopening (?:hours|times?)(?!\p{L})|\b(?:my|your|our|his|her|their|the|this|that|these|those|an?|last|latest|new|newest|unread|recent|each|every|all|any|of|in|from) (?:e-?mails?|mails?|messages?|posts?|orders?|books?|records?|notes?)(?!\p{L})/giu

export function userText(texts: readonly string[]): UserText {
  const text = texts.join('\n').normalize('NFKC')
  // The name of a file asks for nothing, and "my mail" is no request to send mail.
  const named = text.replaceAll(NAMES, ' ')
  const asking = named.replaceAll(AS_NOUN, ' ')
  const worksOn = WORKS_ON.test(asking) ? WRITES : 0
  const asks = stemsOf(asking).reduce((found, word) => found | classesOf(word), classesOfPhrases(asking)) | worksOn
  const numbers = (part: string) => new Set(stemsOf(part).map(wordNumber))
  const isQuestionOnly = (asks & ~READS) === 0 && onlyAsksToTell(text)
  return { searched: normalize(text), words: numbers(named), held: numbers(text), asks, isQuestionOnly }
}

/** Values that say nothing about where they come from. */
const plainValues = new Set(
  'true false null none default return const function import print console value array object string number items limit index length status error message result content title description en_us'.split(
    ' ',
  ),
)
const TOKEN = /[\p{L}\p{N}_@.:/+-]{5,}/gu
const DESTINATION = /^[^\s@]+@[^\s@]+\.\w+$|^https?:|^www\.|^\+?\d[\d ()-]{6,}$|^[a-z]{2}\d{2}[\da-z ]{10,}$/i
const MAX_VALUE = 400

/** The most values of a call that are searched: whole arguments first, then addresses, then other words. */
const MAX_VALUES = 4_000
/** How many of them are searched in texts character by character, which takes time in proportion to the texts. */
const MAX_SEARCHED = 400
/**
 * How many values found in a text are searched in its orders: a call that copies the text shares all its words with it.
 */
const MAX_IN_ORDERS = 300

interface Value {
  readonly text: string
  /** A word is not searched in texts without its stems; null: it is no plain word. */
  readonly stems: readonly number[] | null
}

/** Whole arguments, and the words of five letters and more in them. */
function valuesOf(args: JsonObject): readonly Value[] {
  const whole = new Set<string>()
  const tokens = new Set<string>()
  for (const leaf of leavesOf(args)) {
    const text = normalize(leaf)
    if (text.length >= 3 && text.length <= MAX_VALUE) whole.add(text)
    for (const [found] of text.matchAll(TOKEN)) {
      const token = found.replace(/^[.:+-]+|[.:/+-]+$/g, '')
      if (token.length >= 5) tokens.add(token)
    }
    if (CHINESE_OR_JAPANESE.test(text)) {
      for (const [run] of text.matchAll(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]{4,}/gu)) tokens.add(run)
    }
  }
  const [addresses, others] = [[...tokens].filter(isAddress), [...tokens].filter((token) => !isAddress(token))]
  let searched = 0
  return [...new Set([...whole, ...addresses, ...others])]
    .filter((text) => !plainValues.has(text))
    .slice(0, MAX_VALUES)
    .flatMap((text): Value | readonly [] => {
      if (/^[\p{L}\p{N}]+$/u.test(text) && !CHINESE_OR_JAPANESE.test(text)) {
        return { text, stems: stemsOf(text).map(wordNumber) }
      }
      searched += 1
      return searched > MAX_SEARCHED ? [] : { text, stems: null }
    })
}

const isAddress = (token: string): boolean => DESTINATION.test(token)

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u

/** `any` does not match `anything`; Chinese and Japanese have no gaps between words. */
function holdsWord(text: string, value: string): boolean {
  const [first = '', last = ''] = [value[0], value.at(-1)]
  const joins = (edge: string, beside: string | undefined) =>
    beside !== undefined &&
    LETTER_OR_DIGIT.test(edge) &&
    LETTER_OR_DIGIT.test(beside) &&
    !CHINESE_OR_JAPANESE.test(edge)
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
    if (!joins(first, text[at - 1]) && !joins(last, text[at + value.length])) return true
  }
  return false
}

/** A path, an address, an account, a piece of code: a word of everyday language is none. */
const isTarget = (value: string): boolean =>
  (value.length >= 5 || /^\/../.test(value)) && (isAddress(value) || /[/@(]|\d{7}|\.[a-z]{2,5}$/.test(value))

/** Words beside the value that make a sentence of a line; Chinese and Japanese have no gaps, so characters count. */
const PROSE_WORDS = 2
const PROSE_CHARACTERS = 3

/**
 * The first sentence with the value. Not a member, a head ("From: …"), or a line of a list, which say nothing of it.
 */
function proseWith(searched: string, value: string): string | null {
  for (let at = searched.indexOf(value); at >= 0; at = searched.indexOf(value, at + 1)) {
    const start = searched.lastIndexOf('\n', at) + 1
    const end = searched.indexOf('\n', at)
    const line = searched.slice(start, end < 0 ? undefined : end)
    if (!holdsWord(line, value)) continue
    const rest = line.replace(/^[\s"'{[(,*-]*[\w-]+["']?\s*[:=]/, '').replaceAll(value, ' ')
    const characters = rest.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/gu)?.length ?? 0
    if (
      characters >= PROSE_CHARACTERS ||
      (rest.match(/(?<![\w/.])\p{L}{2,}(?![\w/.(=])/gu)?.length ?? 0) >= PROSE_WORDS
    ) {
      return line
    }
  }
  return null
}

interface Word {
  readonly number: number
  readonly isWeak: boolean
}

/** The words of a tool's name that identify it, and what it does, as bits. */
function nameOf({ name, isBuiltIn }: CallToMark): { readonly words: readonly Word[]; readonly does: number } {
  const stems = [
    ...new Set(
      wordsOfName(name)
        .filter((word) => word.length >= 3)
        .map(stem),
    ),
  ]
  const telling = isBuiltIn === true ? [] : stems.filter((word) => !isEmptyWord(word))
  return {
    words: telling.map((word) => ({ number: wordNumber(word), isWeak: isWeakWord(word) })),
    does: wordsOfName(name).reduce((found, word) => found | classesOf(stem(word)), 0),
  }
}

/** By the first word of the name that says what the tool does. */
const readsByName = (name: string): boolean =>
  ((wordsOfName(name)
    .map((word) => classesOf(stem(word)))
    .find((does) => does !== 0) ?? 0) &
    READS) !==
  0

/** How strongly an order asks for this tool, beyond what the user asked. */
function wishOf(
  order: Order,
  { words, does }: ReturnType<typeof nameOf>,
  user: UserText,
  isTied: () => boolean,
): number {
  let points = 0
  for (const { number, isWeak } of words) {
    if (!user.words.has(number) && order.words.includes(number)) points += isWeak ? 1 : 2
  }
  const acts = does & ~READS
  if ((acts & order.asks) !== 0 && (acts & user.asks) === 0) points += 1
  return isTied() ? points + 2 : points
}

/** Marks a call by the user's text and by the texts from elsewhere, in the order in which they came. */
export function markOrigin<Place>(
  call: CallToMark,
  words: UserText,
  sources: readonly Source<Place>[],
): OriginMark<Place> {
  const marking = beginMarking<Place>(call, words)
  for (const source of sources) marking.add(source)
  return marking.end()
}

/** The same in steps: a source takes some milliseconds if the call is long. */
export function beginMarking<Place>(call: CallToMark, words: UserText) {
  const mayOccur = ({ stems }: Value, held: ReadonlySet<number>) =>
    stems === null || stems.every((one) => held.has(one))
  const fresh = valuesOf(call.arguments).filter(
    (value) => !mayOccur(value, words.held) || !words.searched.includes(value.text),
  )
  const firstPlace = new Map<string, Source<Place>>()
  const name = nameOf(call)
  const asked = name.words.filter(({ number }) => words.words.has(number))
  // For a name with distinctive words, the user's "profile" or "file" means nothing.
  const isAsked = asked.some(({ isWeak }) => !isWeak) || (asked.length > 0 && name.words.every(({ isWeak }) => isWeak))
  const asksForVerb = (name.does & ~READS & words.asks) !== 0
  const acts = call.effect === 'acts' || (call.effect === 'unknown' && !readsByName(call.name))
  const isBeyond = acts && !isAsked && words.isQuestionOnly && (name.does & ~READS) !== 0
  const targets = isBeyond ? new Set(leavesOf(call.arguments).map(normalize).filter(isTarget)) : new Set()
  const found: Found<Place>[] = []
  const sources: Source<Place>[] = []

  function add(source: Source<Place>): void {
    sources.push(source)
    const { place, index, followed = false } = source
    const here: string[] = []
    for (const value of fresh) {
      if (here.length >= MAX_IN_ORDERS && firstPlace.has(value.text)) continue
      if (!mayOccur(value, index.words) || !holdsWord(index.searched, value.text)) continue
      if (here.length < MAX_IN_ORDERS) here.push(value.text)
      if (!firstPlace.has(value.text)) firstPlace.set(value.text, source)
    }
    for (const order of index.orders) {
      // The user asked for this, and the text only states where: "The new function goes in src/export.ts".
      if (order.states && (order.asks & name.does & words.asks & WRITES) !== 0) continue
      const text = here.length === 0 ? '' : index.searched.slice(order.start, order.end)
      const held = here.filter((value) => holdsWord(text, value))
      const wish = wishOf(order, name, words, () => held.some((value) => value.length >= 4))
      if (wish === 0 && held.length === 0) continue
      const isSuch = isBeyond && (name.does & order.asks & GRAVE) !== 0
      const isUnasked = isSuch || wish >= (isAsked || asksForVerb || order.describes ? 3 : 2)
      const at = { place, order: order.text, isFollowed: followed, isUnasked }
      const destination = held.find((value) => DESTINATION.test(value))
      if (destination !== undefined && acts) {
        found.push({ why: 'destination', value: destination, weight: 100 + wish, ...at })
      } else if (isUnasked) found.push({ why: 'wish', weight: 50 + wish, ...at })
      else if (acts && held.length > 0) {
        const value = held.toSorted((a, b) => b.length - a.length)[0] ?? ''
        found.push({ why: 'value', value, weight: wish, ...at })
      }
    }
    for (const value of here) {
      const sentence = targets.has(value) ? proseWith(index.searched, value) : null
      if (sentence === null) continue
      found.push({ why: 'mention', value, weight: -1, place, order: sentence, isFollowed: followed, isUnasked: true })
    }
  }

  function end(): OriginMark<Place> {
    const values = [...firstPlace].flatMap(([value, { place, repeats }]) =>
      repeats?.includes(value) ? [] : [{ value, place }],
    )
    const named = name.words.filter(
      ({ number }) => !words.words.has(number) && sources.some(({ index }) => index.words.has(number)),
    )
    const isNamed = named.some(({ isWeak }) => !isWeak) || named.length >= 2 || (named.length === 1 && !isAsked)
    return { loud: loudest(found, sources), values, isNamed }
  }

  return { add, end }
}

function loudest<Place>(found: readonly Found<Place>[], sources: readonly Source<Place>[]): LoudMark<Place> | null {
  // If two texts ask for the same, the one counts that the user told the model to follow.
  const [best] = found.toSorted((a, b) => b.weight - a.weight || Number(b.isFollowed) - Number(a.isFollowed))
  if (best === undefined) return null
  const { weight: _, ...mark } = best
  const places = new Set(
    sources.flatMap(({ place, index }) =>
      mark.value !== undefined && holdsWord(index.searched, mark.value) ? [place] : [],
    ),
  )
  return { ...mark, isOnlyThere: places.size === 1 }
}
