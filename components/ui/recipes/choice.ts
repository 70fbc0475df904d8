import { recipe } from './recipe'

/** The frame round rows that belong together. */
export const rows = recipe('overflow-clip rounded-lg border border-line', {})

/** One of several in it: a radio button, words, and what it costs. */
export const option = recipe(
  'grid grid-cols-[1rem_minmax(0,1fr)_auto] items-start gap-x-3 px-3.5 py-2.25 not-first:border-t not-first:border-line has-checked:bg-surface',
  {},
)
export const optionMark = recipe('mt-0.75 size-4 accent-ink', {})

/** The second line of a row. */
export const hint = recipe('block text-sm', { tone: { default: 'text-muted', bad: 'text-danger' } })
