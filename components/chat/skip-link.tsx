'use client'

import { focusMessage, messageFieldId } from '@/components/context/focus-message'

/** The first stop of the Tab key: past the list and the header, to where one writes. Seen only while it has the focus. */
export function SkipLink() {
  return (
    <a
      className="absolute start-2 top-2 z-skip rounded-md bg-ink px-3 py-1.5 text-on-ink not-focus:[clip-path:inset(50%)]"
      href={`#${messageFieldId}`}
      onClick={(event) => {
        // The address stays the chat's.
        event.preventDefault()
        focusMessage()
      }}
    >
      Skip to the message field
    </a>
  )
}
