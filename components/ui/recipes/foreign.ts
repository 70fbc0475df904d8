import { cx } from './recipe'

/** A text that others wrote turns nothing round that stands beside it. */
export const foreignText = cx('[unicode-bidi:isolate] wrap-anywhere')

/** What does not show, said in its place. */
export const foreignMark = cx(
  'rounded-[2px] bg-danger-soft font-mono text-[0.85em]/[inherit] font-medium tracking-normal text-danger normal-case no-underline not-italic [direction:ltr] [unicode-bidi:isolate] select-none',
)
