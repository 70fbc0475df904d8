import { recipe, cx } from './recipe'

/** Elements in one line that may wrap, such as the buttons under a question. */
export const row = recipe('flex flex-wrap items-center gap-2', {})

/** A raised panel with a thin border. */
export const panel = recipe('rounded-lg border border-line bg-raised', {})

/** A temporary layer over the page: menus, suggestions. */
export const floating = recipe('z-float rounded-md border border-line-strong bg-raised p-1 shadow-float', {})

/** One row of such a menu. */
export const menuItem = recipe(
  'flex w-full items-center gap-2 rounded-sm px-2 py-1.5 text-start hover:bg-hover focus-visible:bg-hover aria-disabled:text-muted',
  {},
)

/** The reading column: messages, or their placeholders. `filled`: its content takes the full height. */
export const column = recipe(
  'mx-auto w-full max-w-[calc(var(--container-column)+3rem)] flex-1 px-6 pt-6 pb-12 outline-none narrow:px-3.5 narrow:pt-5 narrow:pb-8',
  { filled: { on: 'flex flex-col' } },
)

/** The column's content without messages. `alone`: there is no field below, in thumb reach. */
export const emptyState = recipe(
  'flex flex-1 flex-col justify-center [&>p]:mt-2 [&>p]:max-w-[38rem] [&>p]:text-lg [&>p]:text-pretty [&>p]:text-muted',
  { alone: { default: 'narrow:justify-end', on: '' } },
)
export const emptyTitle = recipe('text-xl font-strong tracking-tight', {})

/** A line of facts with an icon before it. */
export const note = recipe('flex gap-2 text-sm', {
  tone: { default: 'text-muted', bad: 'text-danger' },
  /** Aligns the icon with the first of several lines. */
  tall: { default: 'items-center', on: 'items-start [&>svg]:mt-0.5' },
  /** `inset`: inside a card, replacing its content. */
  place: { default: 'py-1', inset: 'px-3.5 py-3' },
})

/** The actions below a displayed item. */
export const shownDo = recipe('mx-3.5 mb-3 flex min-h-[1.5rem] flex-wrap gap-x-4 gap-y-1 text-sm text-muted', {})

/** A boxed message with an icon, text, and an action. `banner`: one line above the composer. */
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

/** Untrusted text can't change the direction of the text beside it. */
export const foreignText = cx('[unicode-bidi:isolate] wrap-anywhere')

/** A mark for an invisible character. */
export const foreignMark = cx(
  'rounded-[2px] bg-danger-soft font-mono text-[0.85em]/[inherit] font-medium tracking-normal text-danger normal-case no-underline not-italic [direction:ltr] [unicode-bidi:isolate] select-none',
)
