'use client'

import { createContext, useContext, useEffect, useMemo, useState, useSyncExternalStore, type ReactNode } from 'react'
import { useConversation } from '@/components/context/chat-context'
import { onFirstInteraction } from '@/components/context/first-interaction'
import { lazyPart } from '@/components/ui/lazy-part'
import { Wait } from '@/components/ui/wait'
import { loadPart } from '@/lib/i18n/load-part'
import { t } from '@/lib/i18n/t'
import { createThreadRuntimeRef, ThreadRuntimeRefProvider } from './thread-runtime-ref'
import type { ThreadHostProps } from './thread-host'

/*
 * Our store is the truth; assistant-ui is how the page reads it and the one way in. Whatever is said, by a person or by the
 * results of calls, is `aui.thread.append` and arrives at the thread's `onNew`; Stop is `cancelRun`, Retry `startRun`. Every row
 * has a scope of its own.
 */

const ThreadHost = lazyPart(() => import('./thread-host'), {
  what: () => t('frame.part-thread'),
  look: 'line',
  loading: () => <Wait what={t('base.part-loading', { what: t('frame.part-thread') })} />,
})

/** Loads what carries the thread; nobody who only looks at an empty chat needs it. Rejects never. */
export const preloadThreadHost = (): Promise<void> => ThreadHost.preload()

export interface AssistantUiViewProps {
  readonly results: ThreadHostProps['results']
  readonly children: ReactNode
}

const HostContext = createContext<ThreadHostProps | null>(null)

export function AssistantUiView({ results, children }: AssistantUiViewProps) {
  const [door] = useState(createThreadRuntimeRef)
  const host = useMemo(() => ({ door, results }), [door, results])
  const hasMessages = useConversation((view) => view.path.length > 0)
  useEffect(() => {
    if (hasMessages) door.ask()
  }, [door, hasMessages])
  // A load that fails is said once somebody needs it.
  useEffect(
    () => onFirstInteraction(() => void loadPart(() => import('./thread-host')).then(door.ask, () => undefined)),
    [door],
  )
  return (
    <ThreadRuntimeRefProvider value={door}>
      <HostContext value={host}>{children}</HostContext>
    </ThreadRuntimeRefProvider>
  )
}

/** The thread itself, once it is asked for: nothing to see, but that it is loading, or could not be loaded, where it stands. */
export function ThreadPart() {
  const host = useContext(HostContext)
  if (!host) throw new Error('This component must stand inside an AssistantUiView.')
  const isAsked = useSyncExternalStore(host.door.subscribe, host.door.isAsked, () => false)
  return isAsked ? <ThreadHost {...host} /> : null
}
