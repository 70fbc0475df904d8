import type { ReactNode } from 'react'
import { cx, recipe, codeBox } from '@/components/ui/recipes/recipe'

/** A panel of the page: the input, and its result beside it. `tall`: fills the window. */
export const bench = recipe(
  'grid flex-none scroll-mt-bar border-t border-line first-of-type:border-t-0 max-[64rem]:scroll-mt-24 narrow:scroll-mt-0',
  {
    columns: {
      default: 'grid-cols-[minmax(0,1.1fr)_minmax(0,1fr)] narrow:grid-cols-[minmax(0,1fr)]',
      one: 'grid-cols-1',
    },
    tall: { on: 'min-h-[calc(100dvh-var(--spacing-bar))] narrow:min-h-0' },
  },
)

export const benchPart = recipe('min-w-0 px-5 pb-6 narrow:px-3', {
  top: { default: 'pt-4', none: 'pt-0 narrow:pt-4' },
  /** Shown next to another panel. */
  second: { on: 'border-s border-line narrow:border-s-0' },
})

/** The heading of a part, with facts and buttons at its end. */
export const BenchTitle = ({ children }: { readonly children: ReactNode }) => (
  <h2 className="mb-2 flex min-h-8 items-center gap-2 font-strong narrow:flex-wrap *:text-sm *:font-normal">
    {children}
  </h2>
)

/** A list with divider lines. */
export const benchList = cx('divide-y divide-line overflow-clip rounded-lg border border-line bg-raised')

/** Says why there is nothing yet. */
export const BenchEmpty = ({ children }: { readonly children: ReactNode }) => (
  <p className="rounded-lg border border-dashed border-line-strong px-5 py-6 text-pretty text-muted">{children}</p>
)

/** A text exactly as sent or received. */
export const rawText = codeBox({ pad: 'all' }, 'whitespace-pre-wrap wrap-anywhere')
