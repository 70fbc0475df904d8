import { recipe } from './recipe'

/** A box of code, of a difference, of output or of a tree; two below each other are parted by a line. */
export const codeBox = recipe(
  'overflow-x-auto bg-code font-mono text-mono text-code-text tab-2 focus-visible:-outline-offset-2 [&+&]:border-t [&+&]:border-line [[data-shown]+&]:border-t [[data-shown]+&]:border-line',
  {
    pad: {
      /** Lines bring their own at the sides. */
      lines: 'py-2',
      /** The same in a narrow place. */
      tight: 'pt-1',
      all: 'px-3.5 py-3',
      tree: 'px-3.5 py-2',
    },
  },
)

/** A number, a sign, and the text. */
export const codeLine = recipe('grid whitespace-pre-wrap wrap-anywhere *:last:pe-3.5', {
  columns: {
    default: 'grid-cols-[3.125rem_1.125rem_minmax(0,1fr)] narrow:grid-cols-[2.25rem_1rem_minmax(0,1fr)]',
    tight: 'grid-cols-[2.25rem_1.125rem_minmax(0,1fr)] narrow:grid-cols-[2.25rem_1rem_minmax(0,1fr)]',
    text: 'grid-cols-[minmax(0,1fr)] ps-3.5',
  },
  kind: {
    default: '',
    add: 'bg-diff-add text-diff-add-text',
    del: 'bg-diff-remove text-diff-remove-text',
    /** Where reading failed. */
    bad: 'bg-diff-remove text-diff-remove-text',
    /** A change that is left out: it stays in sight. */
    left: 'text-code-muted',
  },
})

/** What stands over a table or a page: its name and its views. */
export const tableHead = recipe('flex items-center justify-between gap-3 px-3.5 py-1.5 narrow:px-3', {})

/** Lines that are left out, and the way to them. Begins where the text of the lines does. */
export const codeGap = recipe('block w-full py-0.5 pe-3.5 text-start font-sans text-sm text-code-muted', {
  columns: { default: 'ps-17 narrow:ps-13', tight: 'ps-13.5 narrow:ps-13', text: 'ps-3.5' },
  opens: { on: 'min-h-[1.5rem] hover:text-text hover:underline hover:decoration-line-strong hover:underline-offset-3' },
  /** Stands below the area that it belongs to. */
  below: { on: 'bg-code' },
})
