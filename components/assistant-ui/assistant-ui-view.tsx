'use client'

import { useEffect, useState, useSyncExternalStore, type ReactNode } from 'react'
import { useConversation } from '@/components/context/chat-context'
import { whenSomebodyIsHere } from '@/components/context/somebody-here'
import { lazyPart } from '@/components/ui/lazy-part'
import { loadPart } from '@/lib/base/load-part'
import { frameSentence } from '@/lib/words/frame'
import { createThreadDoor, ThreadDoorProvider } from './thread-door'
import type { ThreadHostProps } from './thread-host'

/*
 * Our store is the truth; assistant-ui is how the page reads it and the one way in. Whatever is said, by a person or by the
 * results of calls, is `aui.thread.append` and arrives at the thread's `onNew`; Stop is `cancelRun`, Retry `startRun`. Every row
 * has a scope of its own.
 */

const ThreadHost = lazyPart(() => import('./thread-host'), {
  what: () => frameSentence('frame.part-thread'),
  look: 'over',
})

/** Loads what carries the thread; nobody who only looks at an empty chat needs it. Rejects never. */
export const preloadThreadHost = (): Promise<void> => ThreadHost.preload()

export interface AssistantUiViewProps {
  readonly results: ThreadHostProps['results']
  readonly children: ReactNode
}

export function AssistantUiView({ results, children }: AssistantUiViewProps) {
  const [door] = useState(createThreadDoor)
  const isAsked = useSyncExternalStore(door.subscribe, door.isAsked, () => false)
  const hasMessages = useConversation((view) => view.path.length > 0)
  useEffect(() => {
    if (hasMessages) door.ask()
  }, [door, hasMessages])
  // A load that fails is said once somebody needs it.
  useEffect(
    () => whenSomebodyIsHere(() => void loadPart(() => import('./thread-host')).then(door.ask, () => undefined)),
    [door],
  )
  return (
    <ThreadDoorProvider value={door}>
      {children}
      {isAsked ? <ThreadHost results={results} door={door} /> : null}
    </ThreadDoorProvider>
  )
}
