'use client'

import { useEffect } from 'react'
import { focusMessage } from '@/components/context/focus-message'
import { useChatActions } from '@/components/context/chat-context'

/** Keys that work anywhere: a new chat, the list, the workspace. The waiting cards have their own (Ctrl/Cmd+J). */
export function useHotkeys(onToggleNav: () => void, onToggleWorkspace: (by: 'key') => void): void {
  const actions = useChatActions()
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.isComposing) return
      const key = event.key.toLowerCase()
      if (key === 'o' && event.shiftKey) {
        event.preventDefault()
        actions.newChat()
        focusMessage()
      } else if (key === 'e' && event.shiftKey) {
        event.preventDefault()
        onToggleWorkspace('key')
      } else if (key === 'b' && !event.shiftKey) {
        event.preventDefault()
        onToggleNav()
      }
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [actions, onToggleNav, onToggleWorkspace])
}
