'use client'

import { lazyPart } from '@/components/ui/lazy-part'
import { note } from '@/components/ui/recipes/note'
import { asksSentence } from '@/lib/words/asks'

const Loading = () => <p className={note({ place: 'inset' })}>{asksSentence('asks.loading')}</p>

/** The form of a question. */
export const LazyAsk = lazyPart(() => import('./ask-body'), {
  what: () => asksSentence('asks.part'),
  loading: <Loading />,
})
/** What was answered. */
export const LazyAnswer = lazyPart(() => import('./answer-view'), {
  what: () => asksSentence('asks.part'),
  loading: <Loading />,
})
