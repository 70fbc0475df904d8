'use client'

import { useState } from 'react'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { Button } from '@/components/ui/controls/button'
import { Dialog, DialogFoot } from '@/components/ui/popups/dialog'
import { Wait } from '@/components/ui/page/wait'
import { t } from '@/lib/i18n/t'
import { withBase } from '@/lib/base/base-path'
import type { UseView } from '@/lib/shared/conversation/wire/api-types'
import { chatsWithLocalFiles, forgetLocalData } from '@/lib/client/wiring/files/delete-all.browser'
import { nodApi as api } from '@/lib/client/wiring/nod-api.browser'

interface DeleteAllDialogProps {
  readonly kept: Pick<UseView, 'chats' | 'messages' | 'bytes' | 'presets'>
  readonly onCancel: () => void
}

/** Says how much will be deleted before deleting it; afterwards the page reloads. */
export default function DeleteAllDialog({ kept, onCancel }: DeleteAllDialogProps) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const deleteAll = async () => {
    setBusy(true)
    setProblem(null)
    const withFiles = await chatsWithLocalFiles().catch(() => null)
    const answer = await api.deleteAll()
    const isForgotten = answer.ok ? await forgetLocalData(withFiles ?? []).catch(() => false) : false
    if (answer.ok && isForgotten && withFiles) return window.location.assign(withBase('/'))
    setBusy(false)
    setProblem(answer.ok ? t('use.files-stay') : t('use.half-done', { why: answer.error.message }))
  }
  return (
    <Dialog label={t('chat-settings.delete-title')} onClose={onCancel}>
      <h2>{t('chat-settings.delete-title')}</h2>
      <p>{t('use.question', kept)}</p>
      {problem === null ? null : (
        <p role="alert">
          <SentenceText text={problem} />
        </p>
      )}
      {busy ? <Wait what={t('wait.delete-all')} /> : null}
      <DialogFoot>
        <Button onClick={onCancel} disabled={busy}>
          {t('chat-settings.cancel')}
        </Button>
        <Button look="danger" onClick={() => void deleteAll()} disabled={busy}>
          {t('chat-settings.delete-do')}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}
