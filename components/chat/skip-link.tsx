'use client'

import { focusMessage, messageFieldId } from './focus-message'

/** The first stop of the Tab key: past the list and the header, to where one writes. Seen only while it has the focus. */
export function SkipLink() {
  return (
    <a
      className="skip"
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
