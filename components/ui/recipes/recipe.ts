/** Joins classes; missing ones are skipped. */
export const cx = (...classes: readonly (string | false | null | undefined)[]): string =>
  classes.filter(Boolean).join(' ')

/** The options of each variant: `{ look: { default: '…', quiet: '…' }, wide: { on: '…' } }`. */
type Variants = Readonly<Record<string, Readonly<Record<string, string>>>>

/** A variant with `on` is a boolean; `default` applies if nothing is chosen. */
export type Choice<V extends Variants> = {
  readonly [Name in keyof V]?:
    | ('on' extends keyof V[Name] ? boolean : Exclude<keyof V[Name] & string, 'default'>)
    | undefined
}

/**
 * A reusable style as classes: the base, and one option for each variant. `more` is for the element's position (margin,
 * order, flex) and other windows (`narrow:h-touch`). Don't set a property there that the recipe sets: Tailwind's order
 * would decide, so make it a variant.
 */
export function recipe<const V extends Variants>(always: string, variants: V) {
  return (chosen: Choice<V> = {}, more?: string): string => {
    const answers: Readonly<Record<string, string | boolean | undefined>> = chosen
    const looks = Object.entries(variants).map(([name, looksOf]) => {
      const answer = answers[name]
      return looksOf[answer === true ? 'on' : answer || 'default']
    })
    return cx(always, ...looks, more)
  }
}

/** A badge beside a name: `needs Python`, `new`. */
export const badge = recipe(
  'inline-block rounded-sm border align-[1px] font-sans text-xs/4.5 font-normal whitespace-nowrap text-muted',
  { edge: { default: 'border-line-strong px-1.5', none: 'border-transparent' } },
)

/** How many decisions wait. The only blue fill besides Run. */
export const count = recipe(
  'h-5 min-w-5 rounded-full bg-accent px-1.5 text-center text-xs/5 font-medium text-on-accent tabular-nums',
  {},
)

/** A file of a message: its icon, name and size, or a `picture` with them below it. */
export const chip = recipe(
  'inline-flex min-h-9 min-w-0 rounded-md border border-line-strong bg-surface text-start text-sm',
  {
    shape: { default: 'max-w-[min(16rem,100%)] items-center gap-2 ps-2.5', picture: 'max-w-44 flex-col gap-1 p-1' },
  },
)

/** One message of the log: the user's is at the end, in a bubble. */
export const message = recipe('group/msg mb-6', { by: { you: 'flex flex-col items-end' } })

const words = 'rounded-lg px-4 py-2.5 text-start text-lg wrap-anywhere'

/** The user's message, each paragraph with its own direction; dashed until the server has it. */
export const bubble = recipe(`max-w-[84%] whitespace-pre-wrap [unicode-bidi:plaintext] ${words}`, {
  state: { default: 'bg-hover', unsent: 'border border-dashed border-line-strong' },
})

/** The same text while it is edited. */
export const editedBubble = recipe('w-full rounded-lg bg-hover p-3 text-start text-lg', {})

/**
 * The actions on a message. They always take their space, so that nothing moves when they appear: with the pointer or
 * the focus on the message, and permanently if there are branches, under the last reply, or without hover.
 */
export const underMessage = recipe(
  'flex min-h-7 items-center gap-0.5 text-sm/[inherit] text-muted [@media(hover:hover)]:not-has-data-branches:group-[:not(:hover,:focus-within,[data-last])]/msg:*:opacity-0',
  { by: { default: '-ms-2 mt-2', you: '-me-1 mt-1 -mb-4' } },
)

/** Stacked cards, and the text between them. */
export const stack = recipe('stack grid grid-cols-[minmax(0,1fr)] gap-2 [.prose+&]:mt-4', {})

/** A line that opens collapsed content. */
export const fold = recipe('mb-2 inline-flex min-h-[1.5rem] items-center gap-1 text-sm text-muted [&>svg]:size-3', {})

/** The model's reasoning. */
export const thought = recipe(
  'mb-3 border-s-2 border-line ps-4 wrap-anywhere whitespace-pre-wrap text-muted [.prose+&]:mt-4 [.stack+&]:mt-4',
  {},
)

/** The progress of a task, in the text color, because browsers' own bars have their own colors. */
export const progressBar = recipe(
  'h-2 appearance-none overflow-hidden rounded-full border border-control bg-hover [&::-moz-progress-bar]:bg-ink [&::-webkit-progress-bar]:bg-hover [&::-webkit-progress-value]:bg-ink',
  {},
)

/** A box for code, a difference, output or a tree; consecutive boxes are divided by a line. */
export const codeBox = recipe(
  'overflow-x-auto bg-code font-mono text-mono text-code-text tab-2 focus-visible:-outline-offset-2 [&+&]:border-t [&+&]:border-line [[data-shown]+&]:border-t [[data-shown]+&]:border-line',
  {
    pad: {
      /** Lines have their own side padding. */
      lines: 'py-2',
      /** The same in a narrow container. */
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
    /** Where parsing failed. */
    bad: 'bg-diff-remove text-diff-remove-text',
    /** A change that is left out: it stays visible. */
    left: 'text-code-muted',
  },
})

/** The bar above a table or a page: its name and its views. */
export const tableHead = recipe('flex items-center justify-between gap-3 px-3.5 py-1.5 narrow:px-3', {})

/** Left-out lines, and a button to show them. Aligned with the text of the lines. */
export const codeGap = recipe('block w-full py-0.5 pe-3.5 text-start font-sans text-sm text-code-muted', {
  columns: { default: 'ps-17 narrow:ps-13', tight: 'ps-13.5 narrow:ps-13', text: 'ps-3.5' },
  opens: { on: 'min-h-[1.5rem] hover:text-text hover:underline hover:decoration-line-strong hover:underline-offset-3' },
  /** Below the area that it belongs to. */
  below: { on: 'bg-code' },
})
