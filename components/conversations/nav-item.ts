import { recipe } from '@/components/ui/recipes/recipe'

/** A row of the list of chats, and of the entries below it. */
export const navItem = recipe(
  'flex min-h-8 w-full items-center gap-2 rounded-md px-2 no-underline pointer-coarse:min-h-touch',
  {
    look: {
      default: 'text-muted',
      chat: 'text-text hover:bg-hover aria-[current=page]:bg-hover aria-[current=page]:font-medium',
    },
  },
)
