import { recipe } from './recipe'

/** A box of code, of a difference, of output or of a tree; two below each other are parted by a line. */
export const codeBox = recipe(
  'code overflow-x-auto bg-code font-mono text-mono text-code-text tab-2 focus-visible:-outline-offset-2 [&+&]:border-t [&+&]:border-line [[data-shown]+&]:border-t [[data-shown]+&]:border-line',
  {
    pad: {
      /** lines bring their own at the sides */
      lines: 'py-2',
      all: 'px-3.5 py-3',
      tree: 'px-3.5 py-2',
    },
  },
)
