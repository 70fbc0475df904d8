'use client'

import { threadSentence } from '@/lib/words/thread'
import { useActionBarReload } from '@assistant-ui/core/react'
import { IconButton } from '@/components/ui/icon-button'

/** Asks for another version of the reply. */
export function ReloadButton() {
  const { reload, disabled } = useActionBarReload()
  return (
    <IconButton
      size="sm"
      icon="again"
      label={threadSentence('thread.regenerate')}
      disabled={disabled}
      onClick={reload}
    />
  )
}
