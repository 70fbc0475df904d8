'use client'

import { t } from '@/lib/i18n/t'
import { sendPlace } from './composer-look'
import { useState, type MouseEvent } from 'react'
import { useThread } from '@/components/assistant-ui/thread-door'
import { useConversation } from '@/components/context/chat-context'
import { Button } from '@/components/ui/button'
import { hasWords } from '@/lib/conversation/has-words'
import { isBrowserModel } from '@/lib/base/browser-model-id'

/** How long a Stop that came by itself takes no pointer: a hand that was on its way to Send can't turn back sooner. */
const graceMs = 400

/**
 * Stands where Send stood. A press that was meant for Send must not stop a reply: the second half of a double click, or a
 * click that lands just after a reply began by itself (with the results of calls).
 */
export function StopButton() {
  const [shownAt] = useState(() => performance.now())
  const stopping = useConversation((view) => view.run?.stopping ?? false)
  const beganByItself = useConversation((view) => {
    const last = view.path.findLast((row) => row.role === 'user')
    return last !== undefined && !hasWords(last)
  })
  // A model of this browser may be deaf for a while: a second press waits for nothing.
  const hastens = useConversation((view) => isBrowserModel(view.conversation?.settings.model ?? ''))
  const { stop } = useThread()

  const meantForSend = (event: MouseEvent) => {
    if (stopping) return false
    const byPointer = event.detail > 0
    const tooSoon = beganByItself && performance.now() - shownAt < graceMs
    return byPointer && (event.detail > 1 || tooSoon)
  }
  return (
    <Button
      className={sendPlace}
      onClick={(event) => (meantForSend(event) ? undefined : stop())}
      disabled={stopping && !hastens}
    >
      {t('frame.stop')}
    </Button>
  )
}
