'use client'

import { useActionBarCopy } from '@assistant-ui/core/react'
import { CopyIcon, copyText, saidForMs, useForAMoment } from '@/components/ui/copy-button'

/** Copies the message's words. */
export function CopyMessage() {
  const [refused, setRefused] = useForAMoment(false)
  const { copy, disabled, isCopied } = useActionBarCopy({
    copiedDuration: saidForMs,
    async copyToClipboard(text) {
      try {
        await copyText(text)
      } catch (error) {
        setRefused(true)
        throw error
      }
    },
  })
  const state = isCopied ? 'copied' : refused ? 'refused' : 'idle'
  return <CopyIcon size="sm" state={state} disabled={disabled} onCopy={copy} />
}
