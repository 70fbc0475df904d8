'use client'

import { useSyncExternalStore } from 'react'
import { isMac } from '@/lib/base/features.browser'

const never = () => () => {}
export const useMac = (): boolean => useSyncExternalStore(never, isMac, () => false)

/** `mod+enter` → `⌘↵` on a Mac, `Ctrl ↵` elsewhere. A visual hint; buttons have `aria-keyshortcuts`. */
export function Kbd({ keys }: { keys: string }) {
  return (
    <kbd aria-hidden="true" className="narrow:hidden">
      {formatKeys(keys, useMac())}
    </kbd>
  )
}

const words: Readonly<Record<string, readonly [mac: string, other: string]>> = {
  mod: ['⌘', 'Ctrl'],
  shift: ['⇧', 'Shift'],
  alt: ['⌥', 'Alt'],
  enter: ['↵', '↵'],
  backspace: ['⌫', '⌫'],
  delete: ['⌦', 'Del'],
  escape: ['Esc', 'Esc'],
  space: ['␣', 'Space'],
  tab: ['⇥', 'Tab'],
  arrows: ['↑ ↓', '↑ ↓'],
  up: ['↑', '↑'],
  down: ['↓', '↓'],
  left: ['←', '←'],
  right: ['→', '→'],
}

export function formatKeys(keys: string, mac: boolean): string {
  return keys
    .split('+')
    .map((key) => words[key]?.[mac ? 0 : 1] ?? key.toUpperCase())
    .join(mac ? '' : ' ')
}

/** Key names for screen readers, as printed on keyboards. */
const names: Readonly<Record<string, readonly [mac: string, other: string]>> = {
  mod: ['Command', 'Control'],
  alt: ['Option', 'Alt'],
}

const spokenKeys = (keys: string, mac: boolean): string =>
  keys
    .split('+')
    .map((key) => names[key]?.[mac ? 0 : 1] ?? `${key.charAt(0).toUpperCase()}${key.slice(1)}`)
    .join(' ')

/** Keys as content instead of a hint: symbols to see, names for screen readers. */
export function KeyCombination({ keys }: { keys: string }) {
  const mac = useMac()
  return (
    <kbd className="rounded-sm border border-line-strong bg-surface px-1.5 py-0.5 whitespace-nowrap">
      <span aria-hidden="true">{formatKeys(keys, mac)}</span>
      <span className="sr-only">{spokenKeys(keys, mac)}</span>
    </kbd>
  )
}
