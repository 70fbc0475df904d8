import { Button } from '@/components/ui/button'
import { row } from '@/components/ui/recipes/surface'
import { waitSentence } from '@/lib/words/waits'
import { Wait } from '@/components/ui/wait'
import { viewerSentence } from '@/lib/words/files-viewer'
import { ConflictBar } from './conflict-bar'
import { FileSay } from './file-say'
import { FileWarning } from './file-warning'
import type { Editing } from './use-editing'

/** What the user has to know before saving. */
export function SaveStatus({ path, editing }: { path: string; editing: Editing }) {
  const { standing, failure, savedAs, session } = editing
  return (
    <>
      {editing.isSaving ? <Wait className="px-3 py-1.5" what={waitSentence('wait.save-file')} /> : null}
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
          <p>{viewerSentence('files-viewer.deleted')}</p>
          <div className={row()}>
            <Button disabled={editing.isSaving} onClick={() => void editing.save()}>
              {viewerSentence('files-viewer.save-again')}
            </Button>
          </div>
        </FileWarning>
      ) : null}
    </>
  )
}
