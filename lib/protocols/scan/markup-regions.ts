import * as Char from '../text/source'
import type { Source } from '../text/source'
import { readTag } from './tags'
import type { FenceOpener } from './fences'
import type { ReasoningRegion } from './reasoning'

/*
 * HTML in which nothing is a request: <!-- … -->, <pre> … </pre>, <code> … </code>. A mention in prose opens nothing:
 * the closer must follow and, for an opener inside a line, before the paragraph ends. A comment or <pre> that begins a
 * line and is never closed extends to the end, like a code fence.
 */

/** A range of HTML that is being read; nested elements of the same name are counted. */
export class MarkupRegion {
  readonly kind = 'markup'
  private readonly markup: Markup
  private depth = 0

  constructor(markup: Markup) {
    this.markup = markup
  }

  /** The opener or closer of this markup at `i`. The region changes only when `commit` is called. */
  read(source: Source, i: number): { end: number; closes: boolean; commit: () => void } | null {
    const opened = this.markup.opens(source, i)
    if (opened !== null) return { end: opened, closes: false, commit: () => this.depth++ }
    const closed = this.markup.closes(source, i)
    if (closed === null) return null
    return { end: closed, closes: this.depth === 0, commit: () => this.depth-- }
  }
}

interface Markup {
  /** It begins a line, so if it is not closed it extends to the end of the reply. */
  readonly open: boolean
  readonly opens: (source: Source, i: number) => number | null
  readonly closes: (source: Source, i: number) => number | null
}

const element = (name: string, open: boolean): Markup => ({
  open,
  opens: (source, i) => readTag(source, i, name, false)?.end ?? null,
  closes: (source, i) => readTag(source, i, name, true)?.end ?? null,
})

const ELEMENTS = [element('pre', true), element('code', false)]
const COMMENT: Markup = { open: true, opens: () => null, closes: (source, i) => (source.has(i, '-->') ? i + 3 : null) }

/**
 * The opener of such a range at `i`. Calls are skipped as a whole: `callEnd` returns where a call at a position ends.
 */
export function readMarkupOpener(
  source: Source,
  i: number,
  lineStart: boolean,
  callEnd: (i: number) => number | null,
): { readonly region: MarkupRegion; readonly end: number } | null {
  const comment = source.at(i + 1) === Char.BANG && source.has(i, '<!--')
  const markup = comment ? COMMENT : ELEMENTS.find((one) => one.opens(source, i) !== null)
  if (!markup) return null
  const end = comment ? i + 4 : (markup.opens(source, i) ?? i)
  const counts = (markup.open && lineStart) || isClosed(source, end, markup, lineStart, callEnd)
  return counts ? { region: new MarkupRegion(markup), end } : null
}

/** Whether the closer of this range follows; a closer inside the strings of a call does not count. */
function isClosed(
  source: Source,
  from: number,
  markup: Markup,
  lineStart: boolean,
  callEnd: (i: number) => number | null,
): boolean {
  let depth = 0
  for (let i = from; ;) {
    const unit = source.at(i)
    if (unit < 0) return false
    if (unit === Char.LINE_FEED && !lineStart && source.at(source.skipBlanks(i + 1)) === Char.LINE_FEED) return false
    const marked = unit === Char.LESS || unit === Char.MINUS
    if (marked && markup.closes(source, i) !== null && depth-- === 0) return true
    if (marked && markup.opens(source, i) !== null) depth++
    i = callEnd(i) ?? i + 1
  }
}

/** A range of the reply in which calls are quotations (or, in a carrier fence, the opposite). */
export type Region =
  | ReasoningRegion
  | MarkupRegion
  | { readonly kind: 'frame'; readonly closes: (source: Source, i: number) => number | null }
  | FenceRegion

/** `answered`: a result began in it and broke off, so the rest may belong to the result. */
interface FenceRegion {
  readonly kind: 'fence'
  readonly fence: FenceOpener
  afterCall: boolean
  answered: boolean
}

export const fenceRegion = (fence: FenceOpener, afterCall = false): FenceRegion => ({
  kind: 'fence',
  fence,
  afterCall,
  answered: false,
})

/** A character at which a comment may end, in addition to those at which anything may begin. */
export const COMMENT_CLOSER = '-'
