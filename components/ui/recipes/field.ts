import { recipe } from './recipe'

/** One line of text; `line`: in a list row; `list`: a select. At least 16px on touch, or iOS zooms. */
export const field = recipe(
  'w-full rounded-md border border-control bg-raised aria-invalid:border-danger pointer-coarse:text-lg/[inherit]',
  { size: { default: 'h-control px-2.5', line: 'h-[1.5rem] px-1.5 pointer-coarse:h-9', list: 'h-auto p-1' } },
)

/** Several lines; grows with its text. */
export const textArea = recipe(
  'block w-full resize-y rounded-md border border-control bg-raised px-2.5 field-sizing-content aria-invalid:border-danger',
  {
    holds: {
      default: 'py-2 pointer-coarse:text-lg/[inherit]',
      code: 'py-1.5 font-mono text-mono [tab-size:2] narrow:text-lg/5 pointer-coarse:text-lg/5',
    },
  },
)

/** A checkbox or a radio button with its label: classes for the `label` and the `input`. */
export const checkLabel = recipe('inline-flex min-h-[1.5rem] gap-1', {
  /** Aligns the box with the first of several lines. */
  tall: { default: 'items-center', on: 'items-start' },
})
export const checkBox = recipe('m-1 size-4 flex-none accent-ink', {})

/** The frame around related rows. */
export const rows = recipe('overflow-clip rounded-lg border border-line', {})

/** An option in it: a radio button, text, and its cost. */
export const option = recipe(
  'grid grid-cols-[1rem_minmax(0,1fr)_auto] items-start gap-x-3 px-3.5 py-2.25 not-first:border-t not-first:border-line has-checked:bg-surface',
  {},
)
export const optionMark = recipe('mt-0.75 size-4 accent-ink', {})

/** The second line of a row. */
export const hint = recipe('block text-sm', { tone: { default: 'text-muted', bad: 'text-danger' } })
