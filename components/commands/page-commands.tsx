'use client'

import { useRouter } from 'next/navigation'
import { useState, useEffect, useEffectEvent } from 'react'
import { useCommand, getCommandHandler, areSingleKeysOn } from '@/components/context/commands'
import { changePage } from '@/components/ui/page/page-change'
import { lazyPart } from '@/components/ui/page/lazy-part'
import { useLanguage } from '@/components/ui/page/use-language'
import { t } from '@/lib/i18n/t'
import { flushSync } from 'react-dom'
import { isMac } from '@/lib/base/features.browser'
import { commandOf } from '@/lib/client/commands/command-keys'

const fields = 'input:not([type=checkbox],[type=radio]),textarea,select,[contenteditable=true]'

/**
 * Handles the keys that work anywhere (`commandKeys`) and runs a command if something on the page can. `onAsked` is
 * called first.
 */
export function useHotkeys(onAsked: () => void): void {
  const asked = useEffectEvent(onAsked)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return
      const typing = event.target instanceof Element && event.target.closest(fields) !== null
      const command = commandOf(event, { mac: isMac(), typing, single: areSingleKeysOn() })
      const run = command && getCommandHandler(command)
      if (!run) return
      // A held key does not repeat the command, and the browser's own action stays blocked.
      event.preventDefault()
      if (event.repeat) return
      // A dialog over the page would keep the focus from where the command puts it.
      if (command !== 'palette' && command !== 'shortcuts') flushSync(asked)
      run()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}

/**
 * Calls `load` once, at the first key that starts a shortcut: Ctrl, Command, or a shortcut's character. The code then
 * loads before the shortcut is complete, and plain typing never loads it.
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

const PageLayer = lazyPart(() => import('./page-layer'), {
  what: () => t('frame.part-commands'),
  look: 'over',
  close: ({ onClose }) => onClose,
})

/** The keys that work anywhere, on a page beside the chat. `chats`: whether the visitor has chats to search. */
export function PageCommands({ chats }: { chats: boolean }) {
  useLanguage()
  const router = useRouter()
  /** Undefined until one is opened first. */
  const [over, setOver] = useState<'palette' | 'shortcuts' | null>()
  useCommand('palette', () => setOver((now) => (now === 'palette' ? null : 'palette')))
  useCommand('shortcuts', () => setOver((now) => (now === 'shortcuts' ? null : 'shortcuts')))
  useCommand('new-chat', () => changePage(() => router.push('/')), chats)
  useHotkeys(() => setOver((now) => now && null))
  useHotkeyAhead(() => void PageLayer.preload())
  return over === undefined ? null : <PageLayer over={over} chats={chats} onClose={() => setOver(null)} />
}
