'use client'

import { lazyPart } from '@/components/ui/page/lazy-part'
import { note } from '@/components/ui/recipes/surface'
import { t } from '@/lib/i18n/t'

const Loading = () => <p className={note({ place: 'inset' })}>{t('asks.loading')}</p>

/** The form of a question. */
export const LazyAsk = lazyPart(() => import('./ask-body'), {
  what: () => t('asks.part'),
  loading: <Loading />,
})
/** The answer. */
export const LazyAnswer = lazyPart(() => import('./answer-view'), {
  what: () => t('asks.part'),
  loading: <Loading />,
})
