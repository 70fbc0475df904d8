'use client'

import { counted, numberWords, plural } from '@/lib/base/locale'
import { ForeignText } from '@/components/ui/foreign-text'
import { Button } from '@/components/ui/button'
import { Dialog, DialogFoot } from '@/components/ui/dialog'
import { formatBytes } from '@/lib/base/format-bytes'
import { measure, outermost, type FileTree } from '@/lib/workspace/tree/tree-rows'

export interface DeleteFilesDialogProps {
  readonly tree: FileTree
  readonly paths: readonly string[]
  /** Files in which something was typed and not saved. */
  readonly unsaved: readonly string[]
  readonly onDelete: () => void
  readonly onClose: () => void
}

const fileForms = { one: 'file', other: 'files' }

/** Asked before a folder, many files or unsaved text go; any other single file goes at once, and can be brought back. */
export function DeleteFilesDialog({ tree, paths, unsaved, onDelete, onClose }: DeleteFilesDialogProps) {
  const gone = outermost(paths)
  const sizes = gone.map((path) => measure(tree, path))
  const files = sizes.reduce((sum, one) => sum + one.files, 0)
  const bytes = sizes.reduce((sum, one) => sum + one.bytes, 0)
  const question = plural(gone.length, {
    one: `Delete ${gone[0]}?`,
    other: `Delete ${numberWords(gone.length)} items?`,
  })
  return (
    <Dialog label={question} onClose={onClose}>
      <h2>{question}</h2>
      <p>
        {files === 0 ? 'Nothing is in it.' : `${counted(files, fileForms)}, ${formatBytes(bytes)}.`} You can undo this
        in Changes while it is in the history.
      </p>
      {unsaved.length > 0 ? (
        <p>
          What you typed in {unsaved.length === 1 ? unsaved[0] : counted(unsaved.length, fileForms)} is not saved, and
          can’t be brought back.
        </p>
      ) : null}
      {gone.length > 1 ? (
        <ul className="mt-3 text-mono">
          {gone.slice(0, 5).map((path) => (
            <li key={path} className="truncate font-mono">
              <ForeignText text={path} />
            </li>
          ))}
          {gone.length > 5 ? <li className="text-muted">{`and ${gone.length - 5} more`}</li> : null}
        </ul>
      ) : null}
      <DialogFoot>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="danger" onClick={onDelete}>
          Delete
        </Button>
      </DialogFoot>
    </Dialog>
  )
}
