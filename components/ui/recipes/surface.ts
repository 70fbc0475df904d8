import { recipe, cx } from './recipe'

/** Things in one line that may break: the buttons under a question. */
export const row = recipe('flex flex-wrap items-center gap-2', {})

/** What stands raised on the page, with a hairline round it. */
export const panel = recipe('rounded-lg border border-line bg-raised', {})

/** What lies over the page for a moment: menus, suggestions. */
export const floating = recipe('z-float rounded-md border border-line-strong bg-raised p-1 shadow-float', {})

/** One line of such a menu. */
export const menuItem = recipe(
  'flex w-full items-center gap-2 rounded-sm px-2 py-1.5 text-start hover:bg-hover focus-visible:bg-hover aria-disabled:text-muted',
  {},
)

/** The reading column: messages, and what is in their place. `filled`: what is in it takes its whole height. */
export const column = recipe(
  'mx-auto w-full max-w-[calc(var(--container-column)+3rem)] flex-1 px-6 pt-6 pb-12 outline-none narrow:px-3.5 narrow:pt-5 narrow:pb-8',
  { filled: { on: 'flex flex-col' } },
)

/** What is in the column while there are no messages. `alone`: there is no field under it, where a thumb is. */
export const emptyState = recipe(
  'flex flex-1 flex-col justify-center [&>p]:mt-2 [&>p]:max-w-[38rem] [&>p]:text-lg [&>p]:text-pretty [&>p]:text-muted',
  { alone: { default: 'narrow:justify-end', on: '' } },
)
export const emptyTitle = recipe('text-xl font-strong tracking-tight', {})

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

/** A text that others wrote turns nothing round that is beside it. */
export const foreignText = cx('[unicode-bidi:isolate] wrap-anywhere')

/** What does not show, said in its place. */
export const foreignMark = cx(
  'rounded-[2px] bg-danger-soft font-mono text-[0.85em]/[inherit] font-medium tracking-normal text-danger normal-case no-underline not-italic [direction:ltr] [unicode-bidi:isolate] select-none',
)
