'use client'

import { lazyPart } from '@/components/ui/page/lazy-part'

// Only chats with tools of a server load these.

export const LazyRunOrSignIn = lazyPart(() => import('./run-or-sign-in'), {
  look: 'silent',
  loading: ({ run }) => run,
  plain: ({ run }) => run,
})
export const LazySignInEnded = lazyPart(() => import('./sign-in-ended'), { look: 'silent' })
export const LazyKeptCall = lazyPart(() => import('./kept-call'), { look: 'silent' })
