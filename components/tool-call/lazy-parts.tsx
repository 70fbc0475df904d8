'use client'

import { lazyPart } from '@/components/ui/page/lazy-part'
import { note } from '@/components/ui/recipes/surface'
import { t } from '@/lib/i18n/t'
import type { CallOutcome } from '@/lib/shared/conversation/call-record'

const Loading = () => <p className={note({ place: 'inset' })}>{t('asks.loading')}</p>

/** The form of a question. */
export const LazyAsk = lazyPart(() => import('./ask/ask-body'), {
  what: () => t('asks.part'),
  loading: <Loading />,
})
/** The answer. */
export const LazyAnswer = lazyPart(() => import('./ask/answer-view'), {
  what: () => t('asks.part'),
  loading: <Loading />,
})

// Only chats with a server's tools load these.

export const LazyRunOrSignIn = lazyPart(() => import('./remote/run-or-sign-in'), {
  look: 'silent',
  loading: ({ run }) => run,
  plain: ({ run }) => run,
})
export const LazySignInEnded = lazyPart(() => import('./remote/sign-in-ended'), { look: 'silent' })
/** A server's question while it runs a call. */
export const LazyQuestion = lazyPart(() => import('./remote/server-question'), {
  what: () => t('asks.part'),
  loading: () => <Loading />,
})
/** Files that a server linked but did not send. */
export const LazyResourceLinks = lazyPart(() => import('./remote/resource-links'), { look: 'silent' })
/** The page that shows a tool's result. */
const LazyToolPage = lazyPart(() => import('./remote/tool-page'), { what: () => t('servers.page.part') })
export const ToolPages = ({ displays }: Pick<CallOutcome, 'displays'>) =>
  displays.map(({ kind, data }, at) => (kind === 'app' ? <LazyToolPage key={at} data={data} /> : null))
export const LazyKeptCall = lazyPart(() => import('./remote/kept-call'), { look: 'silent' })
