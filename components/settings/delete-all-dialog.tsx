'use client'

import { useState } from 'react'
import { SaidText } from '@/components/ui/foreign-text'
import { Button } from '@/components/ui/button'
import { Dialog, DialogFoot } from '@/components/ui/dialog'
import type { UseView } from '@/lib/conversation/api-types'
import { usageSentence as sentence } from '@/lib/words/use'
import { forgetHere, usageApi as api } from '@/lib/wiring/delete-all.browser'

interface DeleteAllDialogProps {
  readonly kept: Pick<UseView, 'chats' | 'messages' | 'bytes'>
  readonly onCancel: () => void
}

/** Says what goes, by its numbers, before it goes; afterwards the page begins anew. */
export default function DeleteAllDialog({ kept, onCancel }: DeleteAllDialogProps) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const deleteAll = async () => {
    setBusy(true)
    setProblem(null)
    const answer = await api.deleteAll()
    const letGo = answer.ok ? await forgetHere(answer.value.deleted).catch(() => false) : false
    if (answer.ok && letGo) return window.location.assign('/')
    setBusy(false)
    setProblem(answer.ok ? sentence('use.files-stay') : sentence('use.half-done', { why: answer.error.message }))
  }
  return (
    <Dialog label="Delete all your data?" onClose={onCancel}>
      <h2>Delete all your data?</h2>
      <p>{sentence('use.question', kept)}</p>
      {problem === null ? null : (
        <p role="alert">
          <SaidText text={problem} />
        </p>
      )}
      <DialogFoot>
        <Button onClick={onCancel} disabled={busy}>
          Cancel
        </Button>
        <Button look="danger" onClick={() => void deleteAll()} disabled={busy}>
          {busy ? 'Deleting …' : 'Delete everything'}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}
