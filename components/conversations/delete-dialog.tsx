'use client'

import { ForeignText } from '@/components/ui/foreign-text'
import { Button } from '@/components/ui/button'
import { Dialog, DialogFoot } from '@/components/ui/dialog'

export interface DeleteDialogProps {
  readonly title: string
  readonly onDelete: () => void
  readonly onCancel: () => void
}

export default function DeleteDialog({ title, onDelete, onCancel }: DeleteDialogProps) {
  return (
    <Dialog label="Delete this chat?" onClose={onCancel}>
      <h2>Delete this chat?</h2>
      <p>
        “<ForeignText text={title} reading="prose" />” goes for good, with its messages and the files that this browser
        keeps for it. There is no undo.
      </p>
      <DialogFoot>
        <Button onClick={onCancel}>Cancel</Button>
        <Button look="danger" onClick={onDelete}>
          Delete
        </Button>
      </DialogFoot>
    </Dialog>
  )
}
