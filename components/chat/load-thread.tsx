'use client'

import { loadPart } from '@/lib/i18n/load-part'
import { t } from '@/lib/i18n/t'
import { withoutBase } from '@/lib/base/base-path'
import { column } from '@/components/ui/recipes/surface'
import { lazyPart } from '@/components/ui/page/lazy-part'
import { PlainThread } from '@/components/thread/plain-thread'
import { onFirstInteraction } from '@/components/context/first-interaction'
import { loadWaiting } from '@/components/context/use-waiting'

/** Messages, cards and the virtual list. A new chat shows without them. */
export const Thread = lazyPart(() => import('@/components/thread/thread'), {
  what: () => t('frame.part-thread'),
  loading: <div className={column()} />,
  plain: () => <PlainThread />,
})

export const BranchNotice = lazyPart(() => import('@/components/files/branch-notice'), {
  what: () => t('frame.part-files'),
  look: 'line',
})

export const SwitchNotice = lazyPart(() => import('@/components/settings/switch-notice'), {
  what: () => t('frame.part-format'),
  look: 'line',
})

export const DoneNotice = lazyPart(() => import('./done-notice'), { look: 'silent' })

/** Includes what sends a message to the server. */
const loadThread = (): void => {
  void loadPart(() => import('@/lib/client/chats/deliver')).catch(() => {})
  void Thread.preload()
}

/**
 * Loads the code that reads replies and renders their Markdown, which user messages don't need. Runs while a message is
 * written (the token meter uses it), beside the first send, or beside opening a chat.
 */
export function loadReplies(): void {
  void loadPart(() => import('@/lib/client/api/run-reader')).catch(() => {})
  void loadPart(() => import('@/components/thread/reply-row')).catch(() => {})
  // Without it, a reply is shown as plain text.
  void loadPart(() => import('@/components/markdown/markdown'))
    .then((markdown) => markdown.preloadMarkdown())
    .catch(() => {})
}

/**
 * Loads the parts in and around a reply. They are needed only once there is one, and then the server was reachable a
 * moment ago.
 */
export function preloadReply(): void {
  void loadPart(() => import('@/components/tool-call/reply-with-cards')).catch(() => {})
  void loadWaiting().catch(() => {})
  void BranchNotice.preload()
}

// A page that opens a conversation needs them immediately.
if (typeof window !== 'undefined' && withoutBase(window.location.pathname).startsWith('/c/')) {
  loadThread()
  loadReplies()
  preloadReply()
}

/**
 * Loads the code for the first message on the first user input, when the browser is idle. No message can be written
 * sooner, and loaded code stays available if the network or the server goes away.
 */
export function preloadThread(): () => void {
  let forget = () => {}
  const leave = onFirstInteraction(() => {
    forget = whenIdle(loadThread)
  })
  return () => {
    leave()
    forget()
  }
}

function whenIdle(task: () => void): () => void {
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(task, 500)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(task, { timeout: 2_000 })
  return () => cancelIdleCallback(handle)
}
