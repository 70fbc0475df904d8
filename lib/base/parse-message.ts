import { listKinds, numberKinds, type ListKind, type NumberKind } from './written-kinds'

/*
 * ICU messages, as far as our catalogues use them:
 *   There is no room for {size, bytes}: {files, plural, one {# file} other {# files}} use {used, bytes}.
 *   It refused the key{status, select, null {} other { ({status})}}.
 * Between quotes that begin before a brace it is text: '{{tools}}'; '' is one quote.
 * They are parsed in the page, where they are first said: as text they are a third smaller than compiled, nothing has to
 * be generated, and the parser that Lingui's compiler stands on is larger than all that is said on the first screen. A
 * test holds the result of every sentence to that compiler's. Left out: offsets, date skeletons, styles of numbers.
 */

const linguiKinds = ['number', 'plural', 'selectordinal', 'select'] as const

export type ArgumentKind = (typeof linguiKinds)[number] | NumberKind | ListKind

export interface Argument {
  readonly name: string
  /** Null: it stands as it is. */
  readonly kind: ArgumentKind | null
  /** Under which the tokens name it. */
  readonly key: string
}

/** As Lingui takes them: text, `#`, or an argument with its kind and forms. */
export type Token = string | readonly [key: string, kind?: string, forms?: Readonly<Record<string, readonly Token[]>>]

export interface ParsedMessage {
  readonly tokens: readonly Token[]
  readonly arguments: readonly Argument[]
}

const isKind = (word: string): word is ArgumentKind =>
  linguiKinds.some((kind) => kind === word) || Object.hasOwn(numberKinds, word) || Object.hasOwn(listKinds, word)

/** @throws {SyntaxError} for a text that is no such message. */
export function parseMessage(text: string): ParsedMessage {
  const found = new Map<string, Argument>()
  let at = 0
  const fail = (): never => {
    throw new SyntaxError(`no message: ${text} (at ${at})`)
  }
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at
    const [all = '', group = all] = pattern.exec(text) ?? fail()
    at += all.length
    return group
  }

  /** To the brace that ends a form, or to the end. */
  function tokens(inForm: boolean, counts: boolean): Token[] {
    const made: Token[] = []
    let words = ''
    const flush = () => {
      if (words !== '') made.push(words)
      words = ''
    }
    while (at < text.length && text[at] !== '}') {
      const rest = text.slice(at, at + 2)
      if (rest === "''") words += take(/'(')/y)
      else if (/^'[{}]/.test(rest)) words += take(/'((?:''|[^'])+)'/y).replaceAll("''", "'")
      else if (rest[0] === '{') {
        flush()
        made.push(argument())
      } else if (rest[0] === '#' && counts) {
        flush()
        made.push(take(/#/y))
      } else words += take(/[^]/y)
    }
    if (inForm !== (text[at] === '}')) fail()
    if (inForm) at++
    flush()
    return made
  }

  function argument(): Token {
    const name = take(/\{\s*(\w+)\s*/y)
    const kind = text[at] === ',' ? take(/,\s*(\w+)\s*/y) : null
    if (kind !== null && !isKind(kind)) return fail()
    const key = kind === null ? name : `${name}, ${kind}`
    found.set(key, { name, kind, key })
    if (kind !== 'plural' && kind !== 'selectordinal' && kind !== 'select') {
      take(/\}/y)
      return kind === 'number' ? [key, kind] : [key]
    }
    take(/,\s*/y)
    const forms: Record<string, readonly Token[]> = {}
    while (text[at] !== '}') {
      const form = take(/=?(\w+)\s*\{/y)
      forms[form] = tokens(true, kind !== 'select')
      take(/\s*/y)
    }
    at++
    return forms['other'] === undefined ? fail() : [key, kind, forms]
  }

  return { tokens: tokens(false, false), arguments: [...found.values()] }
}
