'use client'

import { useSyncExternalStore } from 'react'

/** A message that is to be shown in its place, wherever it stands in its chat. */
export interface Jump {
  readonly conversationId: string
  readonly messageId: string
}

let wanted: Jump | null = null
const listeners = new Set<() => void>()

function setWanted(jump: Jump | null): void {
  wanted = jump
  for (const listener of listeners) listener()
}

/** The next one takes its place; the thread of its chat carries it out. */
export const jumpTo = (jump: Jump): void => setWanted(jump)
export const jumpDone = (jump: Jump): void => {
  if (wanted === jump) setWanted(null)
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const useJump = (): Jump | null =>
  useSyncExternalStore(
    subscribe,
    () => wanted,
    () => null,
  )
