import { Button } from '@/components/ui/button'
import { Dialog, DialogFoot } from '@/components/ui/dialog'
import { viewerSentence } from '@/lib/words/files-viewer'
import { SentenceWith } from '../sentence-with'

export interface LeaveDialogProps {
  readonly name: string
  /** Not offered while the file stands in conflict. */
  readonly onSave: (() => void) | null
  readonly onDiscard: () => void
  readonly onStay: () => void
}

export function LeaveDialog({ name, onSave, onDiscard, onStay }: LeaveDialogProps) {
  return (
    <Dialog label={viewerSentence('files-viewer.leave')} onClose={onStay}>
      <h2>
        <SentenceWith name={name} say={(shown) => viewerSentence('files-viewer.leave-ask', { name: shown })} />
      </h2>
      <p>{viewerSentence(onSave ? 'files-viewer.leave-unsaved' : 'files-viewer.leave-conflict')}</p>
      <DialogFoot>
        <Button look="quiet" onClick={onStay}>
          {viewerSentence('files-viewer.stay')}
        </Button>
        <Button look="danger" onClick={onDiscard}>
          {viewerSentence('files-viewer.discard')}
        </Button>
        {onSave ? (
          <Button look="ink" onClick={onSave}>
            {viewerSentence('files-viewer.save')}
          </Button>
        ) : null}
      </DialogFoot>
    </Dialog>
  )
}
