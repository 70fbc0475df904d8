/*
 * What crosses between the chat and a page that runs in its frame (`frame/frame.ts`). All that comes out is the page's own word,
 * whatever it looks like: it is read here, and becomes text of a bounded length that is shown, and quoted, as the page's.
 */

import type { PageBundle } from './page-files'

export const pageMessageLimits = {
  words: 300,
  selector: 300,
  line: 1_000,
  address: 300,
  link: 2_000,
  path: 1_024,
} as const

/** How far a page is scrolled, in CSS pixels. */
export interface PageScroll {
  readonly x: number
  readonly y: number
}

/** What a frame needs to run a page. */
export interface PageToRun {
  readonly html: string
  /** Absolute path of the page. */
  readonly path: string
  /** What its addresses count from. */
  readonly base: string
  readonly bundle: PageBundle
  /** With its `?`, or ''. */
  readonly query: string
  /** With its `#`, or ''. */
  readonly hash: string
  /** Where it stood when it was loaded again; null: at the top. */
  readonly scroll: PageScroll | null
}

/** To the frame. */
export type PageAsked =
  | ({ readonly type: 'page' } & PageToRun)
  /** Its files changed; none of them that it asked for. */
  | { readonly type: 'bundle'; readonly bundle: PageBundle }
  | { readonly type: 'hash'; readonly hash: string }
  /** To be answered with the same number; 0: a sign of life is enough. */
  | { readonly type: 'ping'; readonly number: number }
  | { readonly type: 'pick'; readonly on: boolean }

type PageLineLevel = 'log' | 'warn' | 'error'

export interface PageLine {
  readonly level: PageLineLevel
  readonly text: string
  /** `/page/app.js:12`; '' where it is not known. */
  readonly place: string
}

/** An element that someone pointed at. */
export interface PageLocation {
  readonly selector: string
  /** What it says, or what was selected in it; may be ''. */
  readonly words: string
}

export type PageMessage =
  | { readonly kind: 'pong'; readonly number: number }
  | ({ readonly kind: 'line' } & PageLine)
  /** It wanted something that its policy refuses; `address`: of what, or what kind of thing. */
  | { readonly kind: 'refused'; readonly address: string }
  /** Its scripts asked for a file: it was there, was not, was too much to be taken along, or was to be written. */
  | { readonly kind: 'file'; readonly what: FileAsked; readonly path: string }
  /** A link was pressed; it was not followed. */
  | { readonly kind: 'link'; readonly address: string }
  /** A form was sent, by a method that is no GET; it went nowhere. */
  | { readonly kind: 'form'; readonly address: string }
  | ({ readonly kind: 'scroll' } & PageScroll)
  | ({ readonly kind: 'picked' } & PageLocation)
  | { readonly kind: 'pick-ended' }
  /** A person pressed something in it; `isSeen`: our script saw the press, else the browser counts one of the last seconds. */
  | { readonly kind: 'press'; readonly isSeen: boolean }
  /** It went elsewhere, or tried to. */
  | { readonly kind: 'left' }

const fileAsked = ['used', 'missing', 'left', 'written'] as const
export type FileAsked = (typeof fileAsked)[number]

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

const pixels = (value: unknown): number => (Number.isFinite(value) ? Math.max(0, Math.min(1e7, value as number)) : 0)

const levelOf = (value: unknown): PageLineLevel => (value === 'warn' || value === 'error' ? value : 'log')

/** What a frame said, as far as it is anything; null: nothing that is known. */
export function readPageMessage(data: unknown): PageMessage | null {
  if (typeof data !== 'object' || data === null) return null
  const { type, level, text, place, address, selector, words, what, path, x, y, isSeen, number } = data as Readonly<
    Record<string, unknown>
  >
  switch (type) {
    case 'pong':
      return { kind: 'pong', number: typeof number === 'number' ? number : 0 }
    case 'line':
      return {
        kind: 'line',
        level: levelOf(level),
        text: someLines(text, pageMessageLimits.line),
        place: oneLine(place, pageMessageLimits.address),
      }
    case 'refused':
      return { kind: type, address: oneLine(address, pageMessageLimits.address) }
    case 'link':
    case 'form':
      return { kind: type, address: oneLine(address, pageMessageLimits.link) }
    case 'file': {
      const known = fileAsked.find((one) => one === what)
      return known === undefined ? null : { kind: 'file', what: known, path: oneLine(path, pageMessageLimits.path) }
    }
    case 'scroll':
      return { kind: 'scroll', x: pixels(x), y: pixels(y) }
    case 'picked':
      return {
        kind: 'picked',
        selector: oneLine(selector, pageMessageLimits.selector),
        words: oneLine(words, pageMessageLimits.words),
      }
    case 'press':
      return { kind: 'press', isSeen: isSeen === true }
    case 'pick-ended':
    case 'left':
      return { kind: type }
    default:
      return null
  }
}
