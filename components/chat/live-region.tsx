'use client'

import { useEffect, useState } from 'react'
import { useClientStore, useConversation } from '@/components/context/chat-context'
import { onFirstInteraction } from '@/components/context/first-interaction'
import { loadPart } from '@/lib/i18n/load-part'
import { t } from '@/lib/i18n/t'
import { focusMessage, focusMessages, messageFieldId, messagesId } from '@/components/context/show-in-page'
import { cx } from '@/components/ui/recipes/recipe'

/** Announces once how a reply ended, what it asks, and how its calls ended. Streaming text is never announced. */
export function LiveRegion() {
  const store = useClientStore()
  const [words, setWords] = useState('')
  const [isNeeded, setNeeded] = useState(false)
  // A reloaded page may find a reply in progress.
  const running = useConversation((view) => view.run !== null)
  useEffect(() => onFirstInteraction(() => setNeeded(true)), [])
  const begins = isNeeded || running
  useEffect(() => {
    if (!begins) return
    let stop = () => {}
    let wanted = true
    const begin = async () => {
      const { announceReplies } = await loadPart(() => import('./announcer'))
      // Makes a repeated sentence differ, so that screen readers announce it again.
      const tell = (next: string) => setWords((now) => (now === next ? `${next}\u00A0` : next))
      if (wanted) stop = announceReplies(store, tell)
    }
    // If it can't be loaded, the page works without announcements.
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

const look = cx(
  'absolute start-2 top-2 z-skip rounded-md bg-ink px-3 py-1.5 text-on-ink not-focus:[clip-path:inset(50%)]',
)

/** The first tab stops: links past the list and header to the composer and the messages. Visible only while focused. */
export function SkipLinks({ hasMessages }: { hasMessages: boolean }) {
  return (
    <>
      <SkipLink to={messageFieldId} focus={focusMessage} words={t('frame.skip')} />
      {hasMessages ? <SkipLink to={messagesId} focus={focusMessages} words={t('frame.skip-messages')} /> : null}
    </>
  )
}

function SkipLink({ to, focus, words }: { to: string; focus: () => void; words: string }) {
  return (
    <a
      className={look}
      href={`#${to}`}
      onClick={(event) => {
        // Keeps the chat's address.
        event.preventDefault()
        focus()
      }}
    >
      {words}
    </a>
  )
}
