import { Button } from '@/components/ui/button'
import { Dialog, DialogFoot } from '@/components/ui/dialog'
import { t } from '@/lib/i18n/t'
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
    <Dialog label={t('files-viewer.leave')} onClose={onStay}>
      <h2>
        <SentenceWith name={name} say={(shown) => t('files-viewer.leave-ask', { name: shown })} />
      </h2>
      <p>{t(onSave ? 'files-viewer.leave-unsaved' : 'files-viewer.leave-conflict')}</p>
      <DialogFoot>
        <Button look="quiet" onClick={onStay}>
          {t('files-viewer.stay')}
        </Button>
        <Button look="danger" onClick={onDiscard}>
          {t('files-viewer.discard')}
        </Button>
        {onSave ? (
          <Button look="ink" onClick={onSave}>
            {t('files-viewer.save')}
          </Button>
        ) : null}
      </DialogFoot>
    </Dialog>
  )
}
