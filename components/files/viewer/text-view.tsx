'use client'

import { useMemo, useState, type KeyboardEvent } from 'react'
import { Button } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copy-button'
import { IconButton } from '@/components/ui/icon-button'
import { lazyPart } from '@/components/ui/lazy-part'
import { PlainText } from '@/components/ui/plain-text'
import { SegmentedControl } from '@/components/ui/segmented-control'
import { nameOf } from '@/lib/vfs/path'
import { t } from '@/lib/i18n/t'
import { artifactKind } from '@/lib/workspace/artifact/artifact-kind'
import { readText } from '@/lib/workspace/edit/text-file'
import type { FileKind } from '@/lib/workspace/kind-of-file'
import { fileBody, fileFrame } from './file-frame'
import { FileHead, type FileHeadProps } from './file-head'
import { Opening } from './file-say'
import type { FileViewProps } from './file-view-props'
import { LeaveDialog } from './leave-dialog'
import { RenderedFile } from './rendered-file'
import { SaveStatus } from './save-status'
import { useFileEditing } from './use-editing'
import type { StoredFile } from './use-stored-file'

const CodeEditor = lazyPart(() => import('./code-editor'), {
  what: () => t('files-viewer.part-editor'),
  loading: <Opening />,
  plain: ({ text }) => <PlainText text={text} />,
})

export interface TextViewProps extends FileViewProps {
  readonly file: StoredFile & { readonly status: 'ready' }
  readonly kind: FileKind
  readonly facts: NonNullable<FileHeadProps['facts']>
  readonly onDownload: () => void
}

/** A text: as what it means, where it means more than itself, and in the editor. */
export function TextView({ vfs, path, messageId, onClose, onBeside, file, kind, facts, onDownload }: TextViewProps) {
  const { text, form } = useMemo(() => readText(file.data), [file.data])
  const now = { version: file.version, text }
  const editing = useFileEditing({ vfs, path, messageId, form, stored: file.isGone ? null : now, initial: now })
  const [mode, setMode] = useState<'view' | 'edit'>(kind.view === 'text' || editing.isUnsaved ? 'edit' : 'view')
  const [leaving, setLeaving] = useState(false)
  const { standing, isUnsaved, save } = editing

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
    // The editor's own key has been here before.
    if (!event.defaultPrevented) void save()
    event.preventDefault()
  }
  const saveAndLeave = async () => {
    setLeaving(false)
    if (await save()) onClose()
  }
  return (
    <div className={fileFrame} role="presentation" onKeyDown={onKeyDown}>
      <FileHead
        path={path}
        facts={facts}
        isUnsaved={isUnsaved}
        onClose={() => (isUnsaved ? setLeaving(true) : onClose())}
        onDownload={onDownload}
        actions={
          <>
            {onBeside && artifactKind(path) !== null ? (
              <IconButton
                icon="expand"
                label={t('artifact.open')}
                className="narrow:size-touch"
                onClick={() => onBeside(false)}
              />
            ) : null}
            <CopyButton
              look="icon"
              label={t('files-viewer.copy')}
              className="narrow:size-touch"
              text={() => editing.text}
            />
          </>
        }
        controls={
          <>
            {kind.view === 'text' ? null : (
              <SegmentedControl
                label={t('files-viewer.view-or-edit')}
                value={mode}
                options={[
                  { value: 'view', label: t('files-viewer.view') },
                  { value: 'edit', label: t('files-viewer.edit') },
                ]}
                onChange={setMode}
              />
            )}
            {mode === 'edit' || isUnsaved ? (
              <Button disabled={!isUnsaved || editing.isSaving || standing === 'conflict'} onClick={() => void save()}>
                {t('files-viewer.save')}
              </Button>
            ) : null}
          </>
        }
      />
      <SaveStatus path={path} editing={editing} />
      <div className={fileBody}>
        {mode === 'edit' ? (
          <CodeEditor
            path={path}
            text={editing.text}
            lineEnd={form.lineEnd}
            language={kind.language}
            readOnly={false}
            onEdit={editing.edit}
            onSave={() => void save()}
          />
        ) : (
          <RenderedFile
            vfs={vfs}
            path={path}
            kind={kind}
            text={editing.text}
            // What runs is the file as it is stored.
            onRun={onBeside && !isUnsaved ? () => onBeside(true) : undefined}
          />
        )}
      </div>
      {mode === 'edit' ? (
        <p className="flex-none border-t border-line px-3 py-1 text-xs text-muted">{t('files-viewer.keys')}</p>
      ) : null}
      {leaving ? (
        <LeaveDialog
          name={nameOf(path)}
          onSave={standing === 'conflict' ? null : () => void saveAndLeave()}
          onDiscard={() => {
            editing.discard()
            onClose()
          }}
          onStay={() => setLeaving(false)}
        />
      ) : null}
    </div>
  )
}
