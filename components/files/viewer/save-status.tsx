import { Button } from '@/components/ui/button'
import { row } from '@/components/ui/recipes/surface'
import { t } from '@/lib/i18n/t'
import { Wait } from '@/components/ui/wait'
import { ConflictBar } from './conflict-bar'
import { FileSay } from './file-say'
import { FileWarning } from './file-warning'
import type { Editing } from './use-editing'

/** What the user has to know before saving. */
export function SaveStatus({ path, editing }: { path: string; editing: Editing }) {
  const { standing, failure, savedAs, session } = editing
  return (
    <>
      {editing.isSaving ? <Wait className="px-3 py-1.5" what={t('wait.save-file')} /> : null}
      {failure === null ? null : (
        <FileSay role="alert" tone="failed">
          {failure}
        </FileSay>
      )}
      {savedAs === null ? null : <FileSay role="status">{savedAs}</FileSay>}
      {standing === 'conflict' ? (
        <ConflictBar
          path={path}
          mine={editing.text}
          theirs={session.stored?.text ?? ''}
          onKeepMine={editing.keepMine}
          onTakeTheirs={editing.takeTheirs}
        />
      ) : null}
      {standing === 'gone' ? (
        <FileWarning>
          <p>{t('files-viewer.deleted')}</p>
          <div className={row()}>
            <Button disabled={editing.isSaving} onClick={() => void editing.save()}>
              {t('files-viewer.save-again')}
            </Button>
          </div>
        </FileWarning>
      ) : null}
    </>
  )
}
