import { recipe } from '@/components/ui/recipes/recipe'

/** A model or a call format that can be chosen; `data-pointed`: Enter chooses it. */
export const choiceLine = recipe(
  'flex w-full gap-2 text-start rounded-sm px-2 py-1.5 data-pointed:bg-hover pointer-coarse:min-h-touch pointer-coarse:py-2.5 forced-colors:data-pointed:outline-2 forced-colors:data-pointed:-outline-offset-2',
  {},
)

/** The place of the tick beside the one that is chosen. */
export const choiceMark = recipe('mt-0.75 size-4 flex-none', {})

/** Over the lines of one provider. */
export const groupHead = recipe('px-2 pt-2 pb-1 text-xs font-medium text-muted', {})
