import { cx } from '@/components/ui/recipes/recipe'

/** An open file fills its place: the head and what must be known stay, the body scrolls. */
export const fileFrame = cx('flex h-full min-h-0 min-w-0 flex-col bg-raised')
export const fileBody = cx('flex min-h-0 flex-1 flex-col overflow-auto')
