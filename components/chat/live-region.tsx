'use client'

import { useEffect, useState } from 'react'
import { useClientStore, useConversation } from '@/components/context/chat-context'
import { onFirstInteraction } from '@/components/context/first-interaction'
import { loadPart } from '@/lib/i18n/load-part'

/** Says once how a reply ended, what it asks, and what came of calls. Streaming text is never announced. */
export function LiveRegion() {
  const store = useClientStore()
  const [words, setWords] = useState('')
  const [isNeeded, setNeeded] = useState(false)
  // A page that was loaded again may find a reply under way.
  const running = useConversation((view) => view.run !== null)
  useEffect(() => onFirstInteraction(() => setNeeded(true)), [])
  const begins = isNeeded || running
  useEffect(() => {
    if (!begins) return
    let stop = () => {}
    let wanted = true
    const begin = async () => {
      const { announceReplies } = await loadPart(() => import('./announcer'))
      // The same words again are said again: to ears it is another text.
      const tell = (next: string) => setWords((now) => (now === next ? `${next}\u00A0` : next))
      if (wanted) stop = announceReplies(store, tell)
    }
    // Without it the page is silent, and whole.
    begin().catch(() => {})
    return () => {
      wanted = false
      stop()
    }
  }, [begins, store])
  return (
    <div className="sr-only" role="status" aria-live="polite">
      {words}
    </div>
  )
}
