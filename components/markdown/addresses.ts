import type { gfm } from 'micromark-extension-gfm'

/*
 * Bare addresses end where text of a language without spaces goes on: `见https://example.org/a。后面` links `https://example.org/a`.
 * GitHub's rule ends an address at a space alone. Percent-encoded letters are ASCII and stay, and so does a part that begins
 * with such letters, as in `https://example.org/wiki/中国`; what follows the letters of a part without a sign between them is text.
 */

type Extension = ReturnType<typeof gfm>
type Record = NonNullable<Extension['text']>
type Constructs = NonNullable<Record[string]>
type Construct = Exclude<Constructs, readonly unknown[]>
type Effects = Parameters<Construct['tokenize']>[0]
type Tokenize = Construct['tokenize']
type State = Parameters<Tokenize>[1]
type Code = Parameters<State>[0]

interface Ends {
  readonly ok: State
  readonly nok: State
}

/** Letters of Chinese, Japanese and Korean. */
const letters = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Hangul}ー々〆〇]/u
/** Signs of such a text, and quotation marks, dashes and dots of any other; those of an address are ASCII. */
const signs = /[^\P{P}\p{ASCII}]|[\u3000\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\uffe0-\uffe6]/u
/** Behind one of these a part of an address begins. In the name of a host that is also its dot. */
const partBegin = /[/?#=&+%:@_~-]/

/** Longer ones are not looked through. */
const maxAddress = 4_000

/** Where the address that begins at `from` ends at the latest: at `text.length` where a space or its own rule ends it. */
export function endOfAddress(text: string, from: number): number {
  let before = ''
  let inHost = true
  /** The part began with letters of such a language. */
  let isForeign = false
  for (const character of text.slice(from, from + maxAddress)) {
    if (/\s/.test(character)) break
    if (signs.test(character)) return from
    const isLetter = letters.test(character)
    if (isLetter && !isForeign) {
      const begins = partBegin.test(before) || (inHost && before === '.')
      if (!begins) return from
    }
    if (isLetter) isForeign = true
    else if (partBegin.test(character) || character === '.') {
      isForeign = false
      if (/[/?#]/.test(character) && before !== '/' && before !== ':') inHost = false
    }
    before = character
    from += character.length
  }
  return text.length
}

const begin = /(?<![\da-z])(?:https?:\/\/|www\.)/gi

/**
 * Parts of a text, each with no more than one end of an address in it, at its own end: what looks for addresses in a text that was read
 * finds none beyond it.
 */
export function cutBehindAddresses(text: string): readonly string[] {
  const parts: string[] = []
  let from = 0
  for (const { index } of text.matchAll(begin)) {
    const end = index < from ? text.length : endOfAddress(text, index)
    if (end === text.length) continue
    parts.push(text.slice(from, end))
    from = end
  }
  return [...parts, text.slice(from)]
}

/** Takes the constructs that read bare addresses, and ends each of them where `endOfAddress` says. */
export function boundedAddresses(extension: Extension, text: string): Extension {
  const bound = (construct: Construct): Construct =>
    construct.name === 'protocolAutolink' || construct.name === 'wwwAutolink' ? bounded(construct, text) : construct
  const entries = Object.entries(extension.text ?? {}).map(([code, of]) => [
    code,
    of === undefined ? of : isList(of) ? of.map(bound) : bound(of),
  ])
  return { ...extension, text: Object.fromEntries(entries) as Record }
}

const isList = (of: Constructs): of is readonly Construct[] & Constructs => Array.isArray(of)

const isForeign = (code: number | null): boolean => {
  const character = code === null || code < 0 ? '' : String.fromCharCode(code)
  return letters.test(character) || signs.test(character)
}

/** To the construct, the end of an address looks like the end of the text. */
function bounded(construct: Construct, text: string): Construct {
  // A byte order mark is not counted.
  const shift = text.startsWith('\uFEFF') ? 1 : 0
  return {
    ...construct,
    previous(code) {
      return isForeign(code) || construct.previous?.call(this, code) !== false
    },
    tokenize(effects, ok, nok) {
      const place = () => this.now().offset + shift
      const end = endOfAddress(text, place())
      // The construct looks at the sign before it once more.
      const context = isForeign(this.previous)
        ? (Object.create(this, { previous: { value: null } }) as typeof this)
        : this
      if (end === text.length) return construct.tokenize.call(context, effects, ok, nok)
      let real: Code = null
      /** Runs what `tokenize` begins until it comes to an end itself; `see` is what it is shown of each sign. */
      const run = (
        tokenize: Tokenize,
        on: typeof this,
        given: Effects,
        ends: Ends,
        see: (code: Code) => Code,
      ): State => {
        let isOver = false
        const leaving =
          (state: State): State =>
          () => {
            isOver = true
            return state(real)
          }
        const step =
          (state: State): State =>
          (code) => {
            const next = state(see(code))
            return next && !isOver ? step(next) : next
          }
        return step(tokenize.call(on, given, leaving(ends.ok), leaving(ends.nok)))
      }
      const shown = (code: Code): Code => (place() >= end ? null : code)
      const within = (inner: Construct): Construct => ({
        ...inner,
        tokenize(given, yes, no) {
          return run(inner.tokenize, this, around(given), { ok: yes, nok: no }, shown)
        },
      })
      const around = (given: Effects): Effects => ({
        ...given,
        attempt: (inner, yes, no) => given.attempt(isOne(inner) ? within(inner) : inner, yes, no),
        check: (inner, yes, no) => given.check(isOne(inner) ? within(inner) : inner, yes, no),
      })
      return run(construct.tokenize, context, around(effects), { ok, nok }, (code) => shown((real = code)))
    },
  }
}

const isOne = (inner: Parameters<Effects['attempt']>[0]): inner is Construct =>
  'tokenize' in inner && typeof inner.tokenize === 'function'
