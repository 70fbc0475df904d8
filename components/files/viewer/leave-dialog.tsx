import { ForeignText } from '@/components/ui/foreign-text'
import { Button } from '@/components/ui/button'
import { Dialog, DialogFoot } from '@/components/ui/dialog'

export interface LeaveDialogProps {
  readonly name: string
  /** Not offered while the file stands in conflict. */
  readonly onSave: (() => void) | null
  readonly onDiscard: () => void
  readonly onStay: () => void
}

export function LeaveDialog({ name, onSave, onDiscard, onStay }: LeaveDialogProps) {
  return (
    <Dialog label="Unsaved changes" onClose={onStay}>
      <h2>
        Save your changes to <ForeignText text={name} />?
      </h2>
      <p>
        {onSave
          ? 'What you typed is not saved yet.'
          : 'What you typed is not saved yet, and the file changed meanwhile.'}
      </p>
      <DialogFoot>
        <Button look="quiet" onClick={onStay}>
          Go on editing
        </Button>
        <Button look="danger" onClick={onDiscard}>
          Discard
        </Button>
        {onSave ? (
          <Button look="ink" onClick={onSave}>
            Save
          </Button>
        ) : null}
      </DialogFoot>
    </Dialog>
  )
}
