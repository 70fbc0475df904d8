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
