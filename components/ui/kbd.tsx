'use client'

import { useSyncExternalStore } from 'react'

const never = () => () => {}
const isMac = () => /Mac|iPhone|iPad/.test(navigator.userAgent)

/** `mod+enter` → `⌘↵` on a Mac, `Ctrl ↵` elsewhere. A hint for eyes; buttons carry `aria-keyshortcuts`. */
export function Kbd({ keys }: { keys: string }) {
  const mac = useSyncExternalStore(never, isMac, () => false)
  return (
    <kbd aria-hidden="true" className="narrow:hidden">
      {keyWords(keys, mac)}
    </kbd>
  )
}

const words: Readonly<Record<string, readonly [mac: string, other: string]>> = {
  mod: ['⌘', 'Ctrl'],
  shift: ['⇧', 'Shift'],
  enter: ['↵', '↵'],
  backspace: ['⌫', '⌫'],
}

export function keyWords(keys: string, mac: boolean): string {
  return keys
    .split('+')
    .map((key) => words[key]?.[mac ? 0 : 1] ?? key.toUpperCase())
    .join(mac ? '' : ' ')
}
