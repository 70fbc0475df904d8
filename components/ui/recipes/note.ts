import { recipe } from './recipe'

/** A line of facts with a glyph before it. */
export const note = recipe('flex gap-2 text-sm', {
  tone: { default: 'text-muted', bad: 'text-danger' },
  /** The glyph at the first of several lines. */
  tall: { default: 'items-center', on: 'items-start [&>svg]:mt-0.5' },
  /** `inset`: in a card, in the place of what it speaks of. */
  place: { default: 'py-1', inset: 'px-3.5 py-3' },
})

/** What can be done with something that is shown, below it. */
export const shownDo = recipe('mx-3.5 mb-3 flex min-h-[1.5rem] flex-wrap gap-x-4 gap-y-1 text-sm text-muted', {})

/** A boxed message with a glyph, words, and the way out. `banner`: one line over the composer. */
export const notice = recipe('flex rounded-lg border bg-raised', {
  tone: {
    default: 'border-line',
    bad: 'border-danger [&>svg]:text-danger',
    warn: 'border-warn [&>svg]:text-warn',
  },
  size: {
    default: 'items-start gap-3 px-4 py-3.5 [&>svg]:mt-0.75',
    banner: 'items-center gap-3 py-2 ps-3.5 pe-2',
  },
})
