'use client'

import { useEffect, useEffectEvent } from 'react'
import { flushSync } from 'react-dom'
import { getCommandHandler, areSingleKeysOn } from '@/components/context/commands'
import { isMac } from '@/components/ui/controls/kbd'
import { commandOf } from '@/lib/client/commands/command-keys'

const fields = 'input:not([type=checkbox],[type=radio]),textarea,select,[contenteditable=true]'

/** The keys that work anywhere (`commandKeys`), for whoever can do now what they say. `onAsked`: before anything else is done. */
export function useHotkeys(onAsked: () => void): void {
  const asked = useEffectEvent(onAsked)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return
      const typing = event.target instanceof Element && event.target.closest(fields) !== null
      const command = commandOf(event, { mac: isMac(), typing, single: areSingleKeysOn() })
      const run = command && getCommandHandler(command)
      if (!run) return
      // Held down it does nothing more, nor what the browser would do.
      event.preventDefault()
      if (event.repeat) return
      // What lies over the page would keep the focus from where it goes.
      if (command !== 'palette' && command !== 'shortcuts') flushSync(asked)
      run()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}

/**
 * Calls `load` once, at the first key that a command begins with: Ctrl, Command, or the sign of the shortcuts. What a command opens
 * is on its way before the rest of it is pressed, and nobody loads it who only writes.
 */
export function useHotkeyAhead(load: () => void): void {
  const begin = useEffectEvent(load)
  useEffect(() => {
    const met = new AbortController()
    const onKeyDown = ({ key }: KeyboardEvent) => {
      if (key !== 'Control' && key !== 'Meta' && key !== '?') return
      met.abort()
      begin()
    }
    window.addEventListener('keydown', onKeyDown, { capture: true, signal: met.signal })
    return () => met.abort()
  }, [])
}
