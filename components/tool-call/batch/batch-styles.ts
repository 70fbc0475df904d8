import { recipe } from '@/components/ui/recipes/recipe'

/** A line over the cards of a reply, for what is decided on several of them at once. */
export const batchBar = 'flex flex-wrap items-center gap-x-2 gap-y-1.5 pt-1 pb-2 narrow:gap-2'
export const batchLead = recipe('me-auto flex items-center gap-1.5 font-medium narrow:basis-full [&>svg]:size-3.5', {
  tone: { default: 'text-accent-text', plain: 'text-muted' },
})
/** What stands below it: how they run, and what else is to be known. */
export const batchMore = 'flex basis-full flex-wrap items-center gap-x-4 gap-y-1 text-sm text-muted narrow:order-2'
