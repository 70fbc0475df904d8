import { recipe } from './recipe'

/** A word beside a name: `needs Python`, `new`. */
export const badge = recipe(
  'inline-block rounded-sm border align-[1px] font-sans text-xs/4.5 font-normal whitespace-nowrap text-muted',
  { edge: { default: 'border-line-strong px-1.5', none: 'border-transparent' } },
)

/** How many decisions wait. The only filled blue besides Run. */
export const count = recipe(
  'h-5 min-w-5 rounded-full bg-accent px-1.5 text-center text-xs/5 font-medium text-on-accent tabular-nums',
  {},
)

/** A file that goes along with a message, or went: its glyph, name and size; or a `picture` with them below it. */
export const chip = recipe(
  'inline-flex min-h-9 min-w-0 rounded-md border border-line-strong bg-surface text-start text-sm',
  {
    shape: { default: 'max-w-[min(16rem,100%)] items-center gap-2 ps-2.5', picture: 'max-w-44 flex-col gap-1 p-1' },
  },
)
