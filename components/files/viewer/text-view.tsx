'use client'

import { useMemo, useState, type KeyboardEvent, type ReactNode } from 'react'
import { Button, IconButton } from '@/components/ui/controls/button'
import { CopyButton } from '@/components/ui/controls/copy-button'
import { lazyPart } from '@/components/ui/page/lazy-part'
import { PlainText } from '@/components/ui/text/plain-text'
import { SegmentedControl } from '@/components/ui/forms/segmented-control'
import { nameOf } from '@/lib/vfs/path'
import { t } from '@/lib/i18n/t'
import { artifactKind } from '@/lib/client/files/artifact/artifact-kind'
import { readText } from '@/lib/client/files/edit/text-file'
import type { FileKind } from '@/lib/client/files/kind-of-file'
import { fileBody, fileFrame, type StoredFile } from './use-stored-file'
import { FileHead, type FileHeadProps, RenderedFile } from './file-head'
import { Opening, FileNotice } from './file-bar'
import { useFileEditing, type Editing } from './use-editing'
import { Dialog, DialogFoot } from '@/components/ui/popups/dialog'
import { SentenceWith } from '../sentence-with'
import { row } from '@/components/ui/recipes/surface'
import { Wait } from '@/components/ui/page/wait'
import { asUntrusted, labelOf } from '@/lib/base/untrusted-text/foreign'
import { DiffView, type DiffLine, diffLines } from '@/components/ui/code/diff-view'
import { Icon } from '@/components/ui/controls/icon'
import type { Vfs } from '@/lib/vfs/vfs'

/** A decision that is needed before the file can be saved. */
const FileWarning = ({ children }: { readonly children: ReactNode }) => (
  <div className="grid flex-none gap-2 border-b border-line bg-warn-soft p-3 text-sm" role="alert">
    {children}
  </div>
)

interface ConflictBarProps {
  readonly path: string
  readonly mine: string
  readonly theirs: string
  readonly onKeepMine: () => void
  readonly onTakeTheirs: () => void
}

/** The file changed elsewhere while it was edited: nothing is lost, and the user chooses. */
function ConflictBar({ path, mine, theirs, onKeepMine, onTakeTheirs }: ConflictBarProps) {
  const [lines, setLines] = useState<readonly DiffLine[] | 'too-different' | null>(null)
  const show = async () => {
    if (lines !== null) return setLines(null)
    setLines((await diffLines(theirs, mine, false)) ?? 'too-different')
  }
  return (
    <FileWarning>
      <p>
        <Icon name="warn" className="inline-block align-[-0.1875rem] text-warn" /> {t('files-viewer.conflict')}
      </p>
      <div className={row()}>
        <Button onClick={() => void show()} aria-expanded={lines !== null}>
          {t(lines === null ? 'files-viewer.conflict-show' : 'files-viewer.conflict-hide')}
        </Button>
        <Button onClick={onKeepMine}>{t('files-viewer.keep-mine')}</Button>
        <Button onClick={onTakeTheirs}>{t('files-viewer.take-theirs')}</Button>
      </div>
      {lines === 'too-different' ? <p className="text-muted">{t('files-viewer.too-different')}</p> : null}
      {lines !== null && lines !== 'too-different' ? (
        <div className="max-h-64 overflow-auto">
          <p className="text-muted">{t('files-viewer.sides')}</p>
          <DiffView label={labelOf(t('files-viewer.conflict-label', { path: asUntrusted(path) }))} lines={lines} />
        </div>
      ) : null}
    </FileWarning>
  )
}

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

/** A text: rendered, if it has a rendered form, and in the editor. */
export function TextView({ vfs, path, messageId, onClose, onBeside, file, kind, facts, onDownload }: TextViewProps) {
  const { text, form } = useMemo(() => readText(file.data), [file.data])
  const now = { version: file.version, text }
  const editing = useFileEditing({ vfs, path, messageId, form, stored: file.isGone ? null : now, initial: now })
  const [mode, setMode] = useState<'view' | 'edit'>(kind.view === 'text' || editing.isUnsaved ? 'edit' : 'view')
  const [leaving, setLeaving] = useState(false)
  const { status, isUnsaved, save } = editing

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
    // The editor may have handled the key already.
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
              <Button disabled={!isUnsaved || editing.isSaving || status === 'conflict'} onClick={() => void save()}>
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
            // A run uses the stored file.
            onRun={onBeside && !isUnsaved ? () => onBeside(true) : undefined}
          />
        )}
      </div>
      {mode === 'edit' ? (
        <p className="flex-none border-t border-line px-3 py-1 text-xs text-muted">{t('files-viewer.keys')}</p>
      ) : null}
      {leaving ? (
        <UnsavedChangesDialog
          name={nameOf(path)}
          onSave={status === 'conflict' ? null : () => void saveAndLeave()}
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

interface UnsavedChangesDialogProps {
  readonly name: string
  /** Null while the file is in conflict. */
  readonly onSave: (() => void) | null
  readonly onDiscard: () => void
  readonly onStay: () => void
}

function UnsavedChangesDialog({ name, onSave, onDiscard, onStay }: UnsavedChangesDialogProps) {
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

/** What the user has to know before saving. */
function SaveStatus({ path, editing }: { path: string; editing: Editing }) {
  const { status, failure, savedAs, session } = editing
  return (
    <>
      {editing.isSaving ? <Wait className="px-3 py-1.5" what={t('wait.save-file')} /> : null}
      {failure === null ? null : (
        <FileNotice role="alert" tone="failed">
          {failure}
        </FileNotice>
      )}
      {savedAs === null ? null : <FileNotice role="status">{savedAs}</FileNotice>}
      {status === 'conflict' ? (
        <ConflictBar
          path={path}
          mine={editing.text}
          theirs={session.stored?.text ?? ''}
          onKeepMine={editing.keepMine}
          onTakeTheirs={editing.takeTheirs}
        />
      ) : null}
      {status === 'gone' ? (
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

export interface FileViewProps {
  readonly vfs: Vfs
  /** The file's absolute path. */
  readonly path: string
  /** The conversation's last message, recorded as the change's origin. */
  readonly messageId: string | null
  /** The files' conversation; left out: documents are not parsed. */
  readonly conversationId?: string
  readonly onClose: () => void
  /** Shows it beside the chat with its versions instead; `run`: with its scripts. Left out if there is no chat. */
  readonly onBeside?: ((run: boolean) => void) | undefined
}
