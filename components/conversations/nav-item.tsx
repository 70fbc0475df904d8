import { recipe } from '@/components/ui/recipes/recipe'
import { t } from '@/lib/i18n/t'
import { lazyPart } from '@/components/ui/page/lazy-part'

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

/** Loads at the first user interaction, because nobody renames a chat sooner. */
export const LazyTitleEditor = lazyPart(() => import('./title-editor'), {
  what: () => t('rows.part-title'),
  look: 'line',
  loading: ({ title }) => <span className="truncate">{title}</span>,
  close:
    ({ onDone }) =>
    () =>
      onDone(null),
})
