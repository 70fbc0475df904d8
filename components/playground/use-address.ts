'use client'

import { useSyncExternalStore } from 'react'

/** What somebody asked for by an address; what the page itself writes there is no request. */
let asked: string | null = null

const subscribe = (changed: () => void) => {
  const look = () => {
    asked = location.hash.slice(1)
    changed()
  }
  addEventListener('hashchange', look)
  addEventListener('popstate', look)
  return () => {
    asked = null
    removeEventListener('hashchange', look)
    removeEventListener('popstate', look)
  }
}

/** The fragment, without #, that the page was opened or moved to. */
export const useFragment = (): string =>
  useSyncExternalStore(
    subscribe,
    () => (asked ??= location.hash.slice(1)),
    () => '',
  )

export const panels = ['read', 'run', 'prompt', 'tools'] as const

export type PanelId = (typeof panels)[number]

/** Which panel an address means: `run:read_file` and `read=…` name more than the panel. */
export const panelOf = (fragment: string): PanelId =>
  panels.find((id) => fragment === id || fragment.startsWith(`${id}:`) || fragment.startsWith(`${id}=`)) ?? 'read'
