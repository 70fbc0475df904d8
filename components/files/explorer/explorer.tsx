'use client'

import { useEffect, useMemo, useRef, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import { useConversation } from '@/components/context/chat-context'
import { requestOpenFile } from '@/components/context/show-in-page'
import { changeMarks, lastTurn } from '@/lib/client/files/tree/tree-rows'
import ChangesSection from '../changes/changes-section'
import { RestoreLink } from '../changes/restore-link'
import { ExplorerDialogs } from './explorer-dialogs'
import { FileTreeView } from './file-tree'
import { ElsewhereNote, NoticeLine } from './notice'
import { PanelFoot, PanelHead, PanelState } from './panel-bars'
import { useExplorer, useWantedPath, type WorkspaceFiles } from './use-explorer'
import { useFileDrop } from './use-file-drop'
import { labelOf, untrustedOrEmpty, asUntrusted } from '@/lib/base/untrusted-text/foreign'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { Icon } from '@/components/ui/controls/icon'
import { t } from '@/lib/i18n/t'
import { NameField } from './name-field'
import { lazyPart } from '@/components/ui/page/lazy-part'
import type { FileViewProps } from '@/components/files/viewer/text-view'
import { Button } from '@/components/ui/controls/button'
import { FileField } from '@/components/ui/forms/file-field'
import { chosenFiles, type ChosenFile } from '../upload/read-drop'
import type { DiskFolderHandle } from '@/lib/client/folder/disk'
import { canLinkFolders } from '@/lib/client/wiring/files/folders.browser'

interface EmptyFilesProps {
  readonly button: RefObject<HTMLButtonElement | null>
  readonly onUpload: (chosen: readonly ChosenFile[]) => void
}

/** No files yet: the two ways to add some. */
function EmptyFiles({ button, onUpload }: EmptyFilesProps) {
  const field = useRef<HTMLInputElement>(null)
  return (
    <div className="m-3 grid flex-1 content-center justify-items-center gap-3 rounded-lg border border-dashed border-line-strong p-6 text-center text-pretty">
      <p>
        <b className="font-strong">{t('files-panel.empty')}</b>
      </p>
      <p className="text-muted">{t('files-panel.empty-about')}</p>
      <Button ref={button} data-first="" onClick={() => field.current?.click()}>
        <Icon name="upload" />
        {t('files-panel.upload-files')}
      </Button>
      <FileField
        field={field}
        label={t('files-panel.pick-first')}
        multiple
        onPick={(files) => onUpload(chosenFiles(files))}
      />
    </div>
  )
}

const FolderBars = lazyPart(() => import('../folder/folder-bars'), { what: () => t('files-folder.part') })

const FileView = lazyPart(() => import('../viewer/file-view'), {
  what: () => t('files-explorer.part-file'),
  loading: () => (
    <PanelState>
      <span className="text-muted">{t('files-explorer.opening')}</span>
    </PanelState>
  ),
  close: ({ onClose }) => onClose,
})

/**
 * The open file below the tree; on a phone it replaces the tree. `focus`: it was opened by key, so the focus moves
 * here.
 */
function OpenFile({ focus, ...file }: FileViewProps & { readonly focus: boolean }) {
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    // The pressed element may be hidden now; without this, the focus would be lost.
    if (focus || document.activeElement === document.body) section.current?.focus()
  }, [focus])
  return (
    <section
      ref={section}
      className="flex min-h-0 flex-[1_0_60%] flex-col overflow-hidden border-t border-line narrow:flex-1 narrow:border-0"
      aria-label={labelOf(t('files-explorer.file', { path: asUntrusted(file.path) }))}
      tabIndex={-1}
    >
      <FileView {...file} />
    </section>
  )
}

interface CreateLineProps {
  readonly what: 'file' | 'directory'
  readonly folder: string
  /** Returns a sentence if the name can't be used. */
  readonly onDone: (name: string | null, left: boolean) => string | null
}

/** Asks for the name of a new file or folder, above the tree. */
function CreateLine({ what, folder, onDone }: CreateLineProps) {
  const label = t('files-explorer.create', { what, folder: untrustedOrEmpty(folder) })
  return (
    <div className="grid gap-1 border-b border-line px-4 py-2 text-sm">
      <span className="text-muted">
        <SentenceText text={label} />
      </span>
      <span className="flex items-center gap-1.5">
        <Icon name={what === 'file' ? 'read' : 'folder'} />
        <NameField
          label={labelOf(label)}
          value=""
          placeholder={t(what === 'file' ? 'files-explorer.file-hint' : 'files-explorer.folder-hint')}
          onDone={onDone}
        />
      </span>
    </div>
  )
}

export interface ExplorerProps {
  readonly conversationId: string
  readonly files: WorkspaceFiles
  /** Epoch milliseconds; later changes are marked. */
  readonly openedAt: number
  /** A file requested from elsewhere; each request is a new object. */
  readonly wanted?: { readonly path: string } | null
  readonly onClose: () => void
}

/** The files of one conversation: tree, one open file, changes, usage. */
export function Explorer({ conversationId, files, openedAt, wanted = null, onClose }: ExplorerProps) {
  const { vfs, entries, usage, sets, history } = files
  const path = useConversation((view) => view.path)
  const messageId = path.at(-1)?.id ?? null
  const marks = useMemo(
    () => changeMarks(sets, { messageIds: lastTurn(path), since: openedAt }),
    [sets, path, openedAt],
  )
  const explorer = useExplorer(files, messageId)
  const { state, file, actions, doing, setDoing, bring, move, remove, treeElement } = explorer
  const { tree } = state
  const { opened } = file
  useWantedPath(wanted, entries, explorer)
  const link = (dropped: Promise<DiskFolderHandle | null>, folder: string, chosen: Promise<readonly ChosenFile[]>) => {
    // Has no effect where the folder is linked.
    chosen.catch(() => undefined)
    setDoing({ kind: 'folder', dropped, onUpload: () => bring(folder, chosen) })
  }
  const drop = useFileDrop({ state, bring, move, link })
  const download = () => void actions.download(['/'])
  const copyPath = (paths: readonly string[]) => void actions.copyPath(paths)
  const isEmpty = tree.byPath.size === 0
  const emptyButton = useButtonOfEmpty(isEmpty)
  return (
    <>
      <PanelHead
        files={{
          onCreate: (what) => setDoing({ kind: 'create', what, folder: state.folder }),
          onUpload: (chosen) => bring(state.folder, Promise.resolve(chosen)),
          onImportZip: (zip) => explorer.askAboutZip(zip, state.folder, false),
          onLinkFolder: () => setDoing({ kind: 'folder', dropped: null, onUpload: null }),
          onDownload: download,
          showOwn: state.showOwn,
          onShowOwn: state.setShowOwn,
        }}
        onClose={onClose}
      />
      <div
        className="group/body relative flex min-h-0 flex-1 flex-col data-target:inset-ring-2 data-target:inset-ring-ink"
        data-with-file={opened !== null || undefined}
        data-target={drop.folder === '/' || undefined}
        {...drop.listeners}
      >
        {doing?.kind === 'create' ? (
          <CreateLine
            {...doing}
            onDone={(name, left) => {
              const refused = explorer.named(doing.what, doing.folder, name)
              if (refused !== null) return refused
              if (left) setDoing(null)
              else explorer.done()
              return null
            }}
          />
        ) : null}
        <ElsewhereNote conversationId={conversationId} />
        {canLinkFolders() ? <FolderBars vfs={vfs} conversationId={conversationId} messageId={messageId} /> : null}
        {isEmpty ? (
          <EmptyFiles button={emptyButton} onUpload={(chosen) => bring('/', Promise.resolve(chosen))} />
        ) : (
          <FileTreeView
            state={state}
            marks={marks}
            element={treeElement}
            renaming={doing?.kind === 'rename' ? doing.path : null}
            dropFolder={drop.folder}
            on={{
              open: file.open,
              menu: (paths, at) => setDoing({ kind: 'menu', paths, at }),
              rename: (one) => setDoing({ kind: 'rename', path: one }),
              renamed: explorer.rename,
              remove,
              copyPath,
            }}
          />
        )}
        {opened === null ? (
          <ChangesSection conversationId={conversationId} onOpen={(one) => file.open(one, 'key')} />
        ) : (
          <OpenFile
            key={opened.path}
            focus={opened.by === 'key'}
            vfs={vfs}
            conversationId={conversationId}
            path={opened.path}
            messageId={messageId}
            onBeside={(run) => requestOpenFile({ conversationId, path: opened.path, beside: { run } })}
            onClose={() => {
              // On a phone the tree is hidden until then.
              flushSync(file.close)
              treeElement.current?.focus()
            }}
          />
        )}
      </div>
      <NoticeLine notice={explorer.notice} onDismiss={() => explorer.say(null)} />
      <PanelFoot usage={usage} history={history} onDownload={download} onForget={() => void actions.forget()}>
        <RestoreLink conversationId={conversationId} />
      </PanelFoot>
      {doing !== null && doing.kind !== 'create' && doing.kind !== 'rename' ? (
        <ExplorerDialogs
          asked={doing}
          tree={tree}
          vfs={vfs}
          messageId={messageId}
          onDone={explorer.done}
          onCloseMenu={() => setDoing(null)}
          onDelete={(paths) => void explorer.removeAll(paths)}
          onMove={move}
          onUnpacked={explorer.unpacked}
          onLinked={explorer.linked}
          onDownload={download}
          conversationId={conversationId}
          acts={{
            open: (one) => file.open(one, 'key'),
            rename: (one) => setDoing({ kind: 'rename', path: one }),
            move: (paths) => setDoing({ kind: 'move', paths }),
            duplicate: explorer.duplicate,
            unpack: (one) => void explorer.unpack(one),
            download: (paths) => void actions.download(paths),
            copyPath,
            remove,
          }}
        />
      ) : null}
    </>
  )
}

/** The button that replaces the empty tree gets the focus, which was on the deleted last file. */
function useButtonOfEmpty(isEmpty: boolean) {
  const button = useRef<HTMLButtonElement>(null)
  const wasEmpty = useRef(isEmpty)
  useEffect(() => {
    if (isEmpty && !wasEmpty.current && document.activeElement === document.body) button.current?.focus()
    wasEmpty.current = isEmpty
  }, [isEmpty])
  return button
}
