'use client'

import { asForeign, labelOf } from '@/lib/base/foreign-text/foreign'
import { ForeignText, SaidText } from '@/components/ui/foreign-text'
import { Button } from '@/components/ui/button'
import { Dialog, DialogFoot } from '@/components/ui/dialog'
import { t } from '@/lib/i18n/t'
import { measure, outermost, type FileTree } from '@/lib/workspace/tree/tree-rows'

export interface DeleteFilesDialogProps {
  readonly tree: FileTree
  readonly paths: readonly string[]
  /** Files in which something was typed and not saved. */
  readonly unsaved: readonly string[]
  readonly onDelete: () => void
  readonly onClose: () => void
}

/** Asked before a folder, many files or unsaved text go; any other single file goes at once, and can be brought back. */
export function DeleteFilesDialog({ tree, paths, unsaved, onDelete, onClose }: DeleteFilesDialogProps) {
  const gone = outermost(paths)
  const sizes = gone.map((path) => measure(tree, path))
  const files = sizes.reduce((sum, one) => sum + one.files, 0)
  const bytes = sizes.reduce((sum, one) => sum + one.bytes, 0)
  const question = t('files-explorer.ask-delete', { count: gone.length, path: asForeign(gone[0] ?? '') })
  return (
    <Dialog label={labelOf(question)} onClose={onClose}>
      <h2>
        <SaidText text={question} />
      </h2>
      <p>
        {files === 0 ? t('files-explorer.delete-nothing') : t('files-explorer.delete-files', { files, size: bytes })}
      </p>
      {unsaved.length > 0 ? (
        <p>
          <SaidText
            text={t('files-explorer.delete-unsaved', {
              count: unsaved.length,
              path: asForeign(unsaved[0] ?? ''),
            })}
          />
        </p>
      ) : null}
      {gone.length > 1 ? (
        <ul className="mt-3 text-mono">
          {gone.slice(0, 5).map((path) => (
            <li key={path} className="truncate font-mono">
              <ForeignText text={path} />
            </li>
          ))}
          {gone.length > 5 ? (
            <li className="text-muted">{t('files-explorer.and-more', { count: gone.length - 5 })}</li>
          ) : null}
        </ul>
      ) : null}
      <DialogFoot>
        <Button onClick={onClose}>{t('files-explorer.cancel')}</Button>
        <Button look="danger" onClick={onDelete}>
          {t('files-explorer.delete')}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}
