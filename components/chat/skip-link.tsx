'use client'

import { t } from '@/lib/i18n/t'
import { focusMessage, focusMessages, messageFieldId, messagesId } from '@/components/context/show-in-page'
import { cx } from '@/components/ui/recipes/recipe'

const look = cx(
  'absolute start-2 top-2 z-skip rounded-md bg-ink px-3 py-1.5 text-on-ink not-focus:[clip-path:inset(50%)]',
)

/** The first stops of the Tab key: past the list and the header, to where one writes and reads. Seen only while they have the focus. */
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
        // The address stays the chat's.
        event.preventDefault()
        focus()
      }}
    >
      {words}
    </a>
  )
}
