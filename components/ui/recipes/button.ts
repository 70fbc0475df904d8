import { recipe } from './recipe'

// In forced colors, the primary decision and Send stay prominent.
const filled =
  'px-3 font-medium [&_kbd]:text-inherit forced-colors:forced-color-adjust-none forced-colors:border-[Highlight] forced-colors:bg-[Highlight] forced-colors:text-[HighlightText]'

// A button without a border gets none while disabled.
const off = 'disabled:border-line disabled:bg-surface'

/**
 * `go`: the primary decision; `go-next`: the same on a card that is not current; `ink`: Send; `pale`: Send with nothing
 * to send; `quiet`: no border; `danger`: deletes.
 */
export const button = recipe(
  'inline-flex h-control items-center justify-center gap-2 border whitespace-nowrap transition-[background-color] duration-fast ease-soft disabled:text-muted forced-colors:disabled:border-[GrayText] forced-colors:disabled:bg-[Canvas] forced-colors:disabled:text-[GrayText] [&>svg]:size-3.5',
  {
    look: {
      default: `border-line-strong bg-raised px-3 font-medium hover:bg-hover ${off}`,
      go: `border-accent bg-accent text-on-accent hover:border-accent-hover hover:bg-accent-hover ${filled} ${off}`,
      'go-next': `border-accent-line bg-raised px-3 font-medium text-accent-text hover:border-accent hover:bg-accent-soft [&_kbd]:text-inherit ${off}`,
      ink: `border-ink bg-ink text-on-ink hover:border-ink-hover hover:bg-ink-hover ${filled} ${off}`,
      pale: `border-transparent bg-hover px-3 font-medium text-muted hover:text-text ${off}`,
      quiet:
        'border-transparent px-2 font-normal text-muted not-disabled:hover:bg-hover not-disabled:hover:text-text disabled:opacity-60',
      danger: `border-danger bg-raised px-3 font-medium text-danger hover:bg-danger-soft ${off}`,
    },
    /** Space for a key hint, so that focus changes no size. */
    wide: { on: 'min-w-25' },
    /** Above scrolling content. */
    floats: { default: 'rounded-md', on: 'rounded-full shadow-float' },
  },
)

/** A square with an icon: `sm` under a message, `xs` in a list row. */
export const iconButton = recipe(
  'inline-grid place-items-center rounded-md text-muted hover:text-text aria-pressed:bg-hover aria-pressed:text-text',
  {
    size: {
      default: 'size-control hover:bg-hover',
      sm: 'size-[1.75rem] hover:bg-hover disabled:bg-transparent disabled:text-line-strong pointer-coarse:size-touch',
      xs: 'size-[1.625rem] hover:bg-line pointer-coarse:size-touch [&>svg]:size-3.5',
    },
  },
)

/**
 * Extends the touch area of a small element to a fingertip without changing its size. Not inside a clipped container.
 */
export const fingertip =
  "pointer-coarse:relative pointer-coarse:after:absolute pointer-coarse:after:-inset-x-2 pointer-coarse:after:top-1/2 pointer-coarse:after:h-touch pointer-coarse:after:-translate-y-1/2 pointer-coarse:after:content-['']"

/** An underlined text button for a small action. */
export const textButton = recipe(
  `min-h-[1.5rem] min-w-[1.5rem] text-sm/[inherit] text-muted underline decoration-line-strong underline-offset-3 hover:text-text ${fingertip}`,
  {},
)
