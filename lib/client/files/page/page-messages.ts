/*
 * The messages between the chat and a page that runs in its frame (`frame/frame.ts`). Everything from the frame may be
 * forged by the page. It is validated here, and becomes text of limited length that is shown, and quoted, as the page's
 * own.
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
  /** What its addresses are resolved against. */
  readonly base: string
  readonly bundle: PageBundle
  /** With its `?`, or ''. */
  readonly query: string
  /** With its `#`, or ''. */
  readonly hash: string
  /** Its position before it was reloaded; null: the top. */
  readonly scroll: PageScroll | null
}

/** Messages to the frame. */
export type PageAsked =
  | ({ readonly type: 'page' } & PageToRun)
  /** Its files changed, but none that it had requested. */
  | { readonly type: 'bundle'; readonly bundle: PageBundle }
  | { readonly type: 'hash'; readonly hash: string }
  /** The frame replies with the same number; 0: any reply is enough. */
  | { readonly type: 'ping'; readonly number: number }
  | { readonly type: 'pick'; readonly on: boolean }

type PageLineLevel = 'log' | 'warn' | 'error'

export interface PageLine {
  readonly level: PageLineLevel
  readonly text: string
  /** `/page/app.js:12`; '' if unknown. */
  readonly place: string
}

/** An element that the user picked. */
export interface PageLocation {
  readonly selector: string
  /** Its text, or the text selected in it; may be ''. */
  readonly words: string
}

export type PageMessage =
  | { readonly kind: 'pong'; readonly number: number }
  | ({ readonly kind: 'line' } & PageLine)
  /** Its policy refused something; `address`: the address, or the kind of thing. */
  | { readonly kind: 'refused'; readonly address: string }
  /** Its scripts requested a file: it was found, was missing, was too large to include, or was to be written. */
  | { readonly kind: 'file'; readonly what: FileAsked; readonly path: string }
  /** A link was pressed; it was not followed. */
  | { readonly kind: 'link'; readonly address: string }
  /** A form was sent with a method other than GET; it was not submitted. */
  | { readonly kind: 'form'; readonly address: string }
  | ({ readonly kind: 'scroll' } & PageScroll)
  | ({ readonly kind: 'picked' } & PageLocation)
  | { readonly kind: 'pick-ended' }
  /**
   * The user pressed something in it; `isSeen`: our script saw the press, else the browser counts one within the last
   * seconds.
   */
  | { readonly kind: 'press'; readonly isSeen: boolean }
  /** It navigated elsewhere, or tried to. */
  | { readonly kind: 'left' }

const fileAsked = ['used', 'missing', 'left', 'written'] as const
export type FileAsked = (typeof fileAsked)[number]

const hidden = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu

/** One line of text without invisible characters, cut to `most` characters. */
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

/** Never cuts a surrogate pair. */
const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`

const pixels = (value: unknown): number => (Number.isFinite(value) ? Math.max(0, Math.min(1e7, value as number)) : 0)

const levelOf = (value: unknown): PageLineLevel => (value === 'warn' || value === 'error' ? value : 'log')

/** Validates a frame's message; null: it is unknown. */
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
