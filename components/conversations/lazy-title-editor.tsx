import { t } from '@/lib/i18n/t'
import { lazyPart } from '@/components/ui/page/lazy-part'

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
