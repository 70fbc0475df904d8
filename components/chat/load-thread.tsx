'use client'

import { column } from '@/components/ui/recipes/surface'
import { preloadMarkdown } from '@/components/markdown/markdown'
import { lazyPart } from '@/components/ui/lazy-part'
import { PlainThread } from './plain-thread'
import { loadWaiting } from './use-waiting'

/** Messages, cards and the virtual list: a new chat shows without them. */
export const Thread = lazyPart(() => import('@/components/thread/thread'), {
  what: 'The view of the messages',
  loading: <div className={column()} />,
  plain: () => <PlainThread />,
})

export const BranchNotice = lazyPart(() => import('@/components/files/branch-notice'), {
  what: 'The note on files',
  look: 'line',
})

const load = (): void => {
  preloadMarkdown()
  void loadWaiting().catch(() => {})
  void Thread.preload()
  void BranchNotice.preload()
}

// A page that opens a conversation needs them at once, beside the conversation itself.
if (typeof window !== 'undefined' && window.location.pathname.startsWith('/c/')) load()

/**
 * Loads what the first message needs, when the browser has nothing else to do: what is here already can't be missing
 * when the network, or the server, is away. `more` comes after it.
 */
export function preloadThread(more: () => void): () => void {
  const loadAll = () => {
    load()
    more()
  }
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(loadAll, 500)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(loadAll, { timeout: 2_000 })
  return () => cancelIdleCallback(handle)
}
