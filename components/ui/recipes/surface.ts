import { recipe } from './recipe'

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

/** The reading column: messages, and what stands in their place. `filled`: what is in it takes its whole height. */
export const column = recipe(
  'mx-auto w-full max-w-[calc(var(--container-column)+3rem)] flex-1 px-6 pt-6 pb-12 outline-none narrow:px-3.5 narrow:pt-5 narrow:pb-8',
  { filled: { on: 'flex flex-col' } },
)

/** What stands in the column while there are no messages. `alone`: there is no field under it, where a thumb is. */
export const emptyState = recipe(
  'flex flex-1 flex-col justify-center [&>p]:mt-2 [&>p]:max-w-[38rem] [&>p]:text-lg [&>p]:text-pretty [&>p]:text-muted',
  { alone: { default: 'narrow:justify-end', on: '' } },
)
export const emptyTitle = recipe('text-xl font-strong tracking-tight', {})
