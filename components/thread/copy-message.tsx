'use client'

import { useActionBarCopy } from '@assistant-ui/core/react'
import { useCommand } from '@/components/context/commands'
import { CopyIcon, copyText, copiedNoticeMs, useForAMoment } from '@/components/ui/copy-button'

/** Copies the message's words. `isLast`: it is the last reply, which the palette copies too. */
export function CopyMessage({ isLast = false }: { isLast?: boolean }) {
  const [refused, setRefused] = useForAMoment(false)
  const { copy, disabled, isCopied } = useActionBarCopy({
    copiedDuration: copiedNoticeMs,
    async copyToClipboard(text) {
      try {
        await copyText(text)
      } catch (error) {
        setRefused(true)
        throw error
      }
    },
  })
  useCommand('copy-last', copy, isLast && !disabled)
  const state = isCopied ? 'copied' : refused ? 'refused' : 'idle'
  return <CopyIcon size="sm" state={state} disabled={disabled} onCopy={copy} />
}
