'use client'

import { useSyncExternalStore } from 'react'

const watch = (listener: () => void) => {
  const watcher = new MutationObserver(listener)
  watcher.observe(document.documentElement, { attributeFilter: ['data-speech'] })
  return () => watcher.disconnect()
}
/** Whether speech is on in the settings. */
export const useSpeech = (): boolean =>
  useSyncExternalStore(
    watch,
    () => document.documentElement.dataset['speech'] === 'on',
    () => false,
  )
