/*
 * What crosses between the chat and a page that runs in its frame (`frame/frame.ts`). All that comes out is the page's own word,
 * whatever it looks like: it is read here, and becomes text of a bounded length that is shown, and quoted, as the page's.
 */

export const pageSayLimits = { words: 300, selector: 300, line: 1_000, address: 300 } as const

/** To the frame. */
export type PageAsked =
  | { readonly type: 'page'; readonly html: string }
  | { readonly type: 'ping' }
  | { readonly type: 'pick'; readonly on: boolean }

type PageLineLevel = 'log' | 'warn' | 'error'

export interface PageLine {
  readonly level: PageLineLevel
  readonly text: string
  /** `/page/app.js:12`; '' where it is not known. */
  readonly place: string
}

/** An element that somebody pointed at. */
export interface PagePlace {
  readonly selector: string
  /** What it says, or what was selected in it; may be ''. */
  readonly words: string
}

export type PageSays =
  | { readonly kind: 'pong' }
  | ({ readonly kind: 'line' } & PageLine)
  /** It wanted something that its policy refuses; `address`: of what, or what kind of thing. */
  | { readonly kind: 'refused'; readonly address: string }
  /** A link was pressed; it was not followed. */
  | { readonly kind: 'link'; readonly address: string }
  | ({ readonly kind: 'picked' } & PagePlace)
  | { readonly kind: 'pick-ended' }
  /** It went elsewhere, or tried to. */
  | { readonly kind: 'left' }

const hidden = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu

/** One line of text without anything that does not show, cut to `most` characters. */
const oneLine = (value: unknown, most: number): string =>
  typeof value === 'string'
    ? cut(
        value
          .slice(0, most * 4)
          .replaceAll(/\s/g, ' ')
          .replaceAll(hidden, '')
          .replaceAll(/ +/g, ' ')
          .trim(),
        most,
      )
    : ''

const someLines = (value: unknown, most: number): string =>
  typeof value === 'string'
    ? cut(
        value
          .slice(0, most * 2)
          .split(/\r\n|\r|\n/)
          .map((line) => line.replaceAll('\t', '  ').replaceAll(hidden, ''))
          .join('\n')
          .trim(),
        most,
      )
    : ''

/** Never in the middle of a pair. */
const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`

const levelOf = (value: unknown): PageLineLevel => (value === 'warn' || value === 'error' ? value : 'log')

/** What a frame said, as far as it is anything; null: nothing that is known. */
export function readPageSays(data: unknown): PageSays | null {
  if (typeof data !== 'object' || data === null) return null
  const { type, level, text, place, address, selector, words } = data as Readonly<Record<string, unknown>>
  switch (type) {
    case 'pong':
      return { kind: 'pong' }
    case 'line':
      return {
        kind: 'line',
        level: levelOf(level),
        text: someLines(text, pageSayLimits.line),
        place: oneLine(place, pageSayLimits.address),
      }
    case 'refused':
    case 'link':
      return { kind: type, address: oneLine(address, pageSayLimits.address) }
    case 'picked':
      return {
        kind: 'picked',
        selector: oneLine(selector, pageSayLimits.selector),
        words: oneLine(words, pageSayLimits.words),
      }
    case 'pick-ended':
    case 'left':
      return { kind: type }
    default:
      return null
  }
}
