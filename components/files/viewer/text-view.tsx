'use client'

import { visibleText } from '@/lib/base/foreign-text/foreign-text'
import { useMemo, useState, type KeyboardEvent } from 'react'
import { Markdown } from '@/components/markdown/markdown'
import { Button } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copy-button'
import { lazyPart } from '@/components/ui/lazy-part'
import { PlainText } from '@/components/ui/plain-text'
import { SegmentedControl } from '@/components/ui/segmented-control'
import { Spinner } from '@/components/ui/spinner'
import { nameOf } from '@/lib/vfs/path'
import type { Vfs } from '@/lib/vfs/vfs'
import { readText } from '@/lib/workspace/edit/text-file'
import type { FileKind } from '@/lib/workspace/kind-of-file'
import { ConflictBar } from './conflict-bar'
import { FileHead, type FileHeadProps } from './file-head'
import type { FileViewProps } from './file-view'
import { LeaveDialog } from './leave-dialog'
import { useEditing, type Editing } from './use-editing'
import type { StoredFile } from './use-stored-file'

const CodeEditor = lazyPart(() => import('./code-editor'), {
  what: 'The editor',
  loading: <Opening />,
  plain: ({ text }) => <PlainText text={text} />,
})
const SvgView = lazyPart(() => import('./svg-view'), {
  what: 'The picture',
  loading: <Opening />,
  plain: ({ text }) => <PlainText text={text} />,
})
const TableView = lazyPart(() => import('./table-view'), {
  what: 'The table',
  loading: <Opening />,
  plain: ({ text }) => <PlainText text={text} />,
})
const JsonView = lazyPart(() => import('./json-view'), {
  what: 'The tree',
  loading: <Opening />,
  plain: ({ text }) => <PlainText text={text} />,
})
const PageView = lazyPart(() => import('./page-view'), {
  what: 'The page',
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
export function TextView({ vfs, path, messageId, onClose, file, kind, facts, onDownload }: TextViewProps) {
  const { text, form } = useMemo(() => readText(file.data), [file.data])
  const now = { version: file.version, text }
  const editing = useEditing({ vfs, path, messageId, form, stored: file.isGone ? null : now, initial: now })
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
    <div className="file-text" role="presentation" onKeyDown={onKeyDown}>
      <FileHead
        path={path}
        facts={facts}
        isUnsaved={isUnsaved}
        onClose={() => (isUnsaved ? setLeaving(true) : onClose())}
        onDownload={onDownload}
        actions={<CopyButton look="icon" label="Copy" text={() => editing.text} />}
        controls={
          <>
            {kind.view === 'text' ? null : (
              <SegmentedControl
                label="View or edit"
                value={mode}
                options={[
                  { value: 'view', label: 'View' },
                  { value: 'edit', label: 'Edit' },
                ]}
                onChange={setMode}
              />
            )}
            {mode === 'edit' || isUnsaved ? (
              <Button disabled={!isUnsaved || editing.isSaving || standing === 'conflict'} onClick={() => void save()}>
                Save
              </Button>
            ) : null}
          </>
        }
      />
      <Standing path={path} editing={editing} />
      <div className="file-body">
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
          <Rendered vfs={vfs} path={path} kind={kind} text={editing.text} />
        )}
      </div>
      {mode === 'edit' ? (
        <p className="file-hint muted">Tab indents. Esc, then Tab leaves the editor. Ctrl/⌘ F searches.</p>
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

/** What the user has to know before saving. */
function Standing({ path, editing }: { path: string; editing: Editing }) {
  const { standing, failure, session } = editing
  return (
    <>
      {failure === null ? null : (
        <p role="alert" className="file-say file-failure">
          {failure}
        </p>
      )}
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
        <div className="conflict" role="alert">
          <p>This file is not there any more: it was deleted, moved or renamed. Its last text is still here.</p>
          <div className="file-controls">
            <Button disabled={editing.isSaving} onClick={() => void editing.save()}>
              Save it again
            </Button>
          </div>
        </div>
      ) : null}
    </>
  )
}

function Opening() {
  return (
    <p className="file-say" role="status">
      <Spinner /> Opening the file
    </p>
  )
}

function Rendered({ vfs, path, kind, text }: { vfs: Vfs; path: string; kind: FileKind; text: string }) {
  switch (kind.view) {
    case 'markdown':
      return (
        <div className="file-prose" tabIndex={0} role="group" aria-label={visibleText(`Markdown: ${path}`, 'name')}>
          <Markdown text={text} streaming={false} />
        </div>
      )
    case 'table':
      return <TableView path={path} text={text} />
    case 'json':
      return <JsonView path={path} text={text} />
    case 'html':
      return <PageView vfs={vfs} path={path} text={text} />
    case 'svg':
      return <SvgView path={path} text={text} />
    case 'text':
    case 'image':
    case 'binary':
      return null
  }
}
