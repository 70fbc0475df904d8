'use client'

import type { AssistantClient } from '@assistant-ui/react'
import { createContext, useContext, useEffect, useMemo, useSyncExternalStore } from 'react'

/*
 * The way to the page's thread. What carries it (assistant-ui, a quarter of the page's own code) comes with the first sign of
 * somebody: an empty chat shows without it, and what is done in the thread sooner waits at the door, in its order.
 */

type Deed = (aui: AssistantClient) => void

export interface ThreadRuntimeRef {
  /** Null: the thread is not here yet. */
  readonly client: () => AssistantClient | null
  /** Whether anybody needs the thread. */
  readonly isAsked: () => boolean
  readonly ask: () => void
  /** Does it now, or as soon as the thread is here. */
  readonly enter: (deed: Deed) => void
  /** The thread is here. Gives what says that it went. */
  readonly open: (client: AssistantClient) => () => void
  /** Told when the thread is asked for, comes or goes. */
  readonly subscribe: (listener: () => void) => () => void
}

export function createThreadRuntimeRef(): ThreadRuntimeRef {
  const listeners = new Set<() => void>()
  const waiting: Deed[] = []
  let client: AssistantClient | null = null
  let asked = false
  const tell = () => {
    for (const listener of listeners) listener()
  }
  const ask = () => {
    if (asked) return
    asked = true
    tell()
  }
  return {
    client: () => client,
    isAsked: () => asked,
    ask,
    enter(deed) {
      if (client) return deed(client)
      waiting.push(deed)
      ask()
    },
    open(into) {
      client = into
      tell()
      for (const deed of waiting.splice(0)) deed(into)
      return () => {
        if (client !== into) return
        client = null
        tell()
      }
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

const DoorContext = createContext<ThreadRuntimeRef | null>(null)

export const ThreadRuntimeRefProvider = DoorContext

function useDoor(): ThreadRuntimeRef {
  const door = useContext(DoorContext)
  if (!door) throw new Error('This component must stand inside an AssistantUiView.')
  return door
}

/** assistant-ui's client of the page's thread, which is asked for; null until it is here. */
export function useThreadClient(): AssistantClient | null {
  const door = useDoor()
  useEffect(() => door.ask(), [door])
  return useSyncExternalStore(door.subscribe, door.client, () => null)
}

/** What is done in the page's thread from outside of its messages: at once, or as soon as the thread is here. */
export function useThread(): {
  readonly enter: (deed: Deed) => void
  readonly stop: () => void
  readonly append: (text: string) => void
} {
  const { enter } = useDoor()
  return useMemo(
    () => ({
      enter,
      stop: () => enter((aui) => aui.thread.cancelRun()),
      append: (text) => enter((aui) => aui.thread.append(text)),
    }),
    [enter],
  )
}
