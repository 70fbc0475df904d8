'use client'

import { useSyncExternalStore } from 'react'

/** Whether Command stands where others have Ctrl. */
export const isMac = (): boolean => /Mac|iPhone|iPad/.test(navigator.userAgent)

const never = () => () => {}
export const useMac = (): boolean => useSyncExternalStore(never, isMac, () => false)

/** `mod+enter` → `⌘↵` on a Mac, `Ctrl ↵` elsewhere. A hint for eyes; buttons carry `aria-keyshortcuts`. */
export function Kbd({ keys }: { keys: string }) {
  return (
    <kbd aria-hidden="true" className="narrow:hidden">
      {keyWords(keys, useMac())}
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

export function keyWords(keys: string, mac: boolean): string {
  return keys
    .split('+')
    .map((key) => words[key]?.[mac ? 0 : 1] ?? key.toUpperCase())
    .join(mac ? '' : ' ')
}
