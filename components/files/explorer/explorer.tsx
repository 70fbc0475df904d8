'use client'

import { useEffect, useMemo, useRef, useState, type ClipboardEvent, type DragEvent } from 'react'
import { flushSync } from 'react-dom'
import { useConversation } from '@/components/context/chat-context'
import { isInside, nameOf, parentOf } from '@/lib/vfs/path'
import { changeMarks, lastTurn } from '@/lib/workspace/tree/change-marks'
import { nameEntry } from '@/lib/workspace/tree/name-entry'
import ChangesSection from '../changes/changes-section'
import { RestoreLink } from '../changes/restore-link'
import { droppedFiles, type ChosenFile } from '../upload/read-drop'
import { draftOf, draftsUnder, keepDraft, moveDrafts } from '../viewer/file-drafts'
import { CreateLine } from './create-line'
import { dragKind, dropFolderAt, droppedPaths, pathsType } from './drop-target'
import { EmptyFiles } from './empty-files'
import { ExplorerDialogs, type Asked } from './explorer-dialogs'
import { createFileActions } from './file-actions'
import { FileTree } from './file-tree'
import { NoticeLine, type FileNotice } from './notice'
import { OpenFile } from './open-file'
import { PanelFoot } from './panel-foot'
import { PanelHead } from './panel-head'
import { useRestOpen } from './use-rest-open'
import { useTreeState } from './use-tree-state'
import type { WorkspaceFiles } from './use-workspace'

export interface ExplorerProps {
  readonly conversationId: string
  readonly files: WorkspaceFiles
  /** Epoch milliseconds; what changed since is marked. */
  readonly openedAt: number
  /** A file that was asked for elsewhere; another object asks again. */
  readonly wanted?: { readonly path: string } | null
  readonly onClose: () => void
}

interface Opened {
  readonly path: string
  readonly by: 'key' | 'pointer'
}

type Doing =
  | { readonly kind: 'create'; readonly what: 'file' | 'directory'; readonly folder: string }
  | { readonly kind: 'rename'; readonly path: string }
  | Asked

/** The files of one conversation: tree, one open file, changes, usage. */
export function Explorer({ conversationId, files, openedAt, wanted = null, onClose }: ExplorerProps) {
  const { vfs, entries, usage, sets, history } = files
  const state = useTreeState(entries)
  const { tree } = state
  const path = useConversation((view) => view.path)
  const messageId = path.at(-1)?.id ?? null
  const marks = useMemo(
    () => changeMarks(sets, { messageIds: lastTurn(path), since: openedAt }),
    [sets, path, openedAt],
  )
  const [notice, say] = useState<FileNotice | null>(null)
  const [doing, setDoing] = useState<Doing | null>(null)
  const [opened, setOpened] = useState<Opened | null>(null)
  const [answered, setAnswered] = useState<ExplorerProps['wanted']>(null)
  if (wanted !== null && wanted !== answered) {
    setAnswered(wanted)
    const kind = entries.find((entry) => entry.path === wanted.path)?.kind
    if (kind !== undefined && !tree.byPath.has(wanted.path)) state.setShowOwn(true)
    if (kind !== undefined) state.reveal([wanted.path])
    if (kind === 'file') setOpened({ path: wanted.path, by: 'pointer' })
    else if (kind === undefined) say({ tone: 'failed', words: `There is no file at ${wanted.path} any more.` })
  }
  const [dropFolder, setDropFolder] = useState<string | null>(null)
  useRestOpen(dropFolder, state.setOpen)
  const treeElement = useRef<HTMLDivElement>(null)
  const emptyButton = useRef<HTMLButtonElement>(null)

  const onMoved = (from: string, to: string) => {
    moveDrafts(vfs, from, to)
    setOpened((before) =>
      before !== null && isInside(before.path, from)
        ? { ...before, path: to + before.path.slice(from.length) }
        : before,
    )
  }
  const actions = createFileActions({ vfs, tree, messageId, onMoved, say })
  const done = () => {
    setDoing(null)
    treeElement.current?.focus()
  }
  const revealAfter = async (paths: Promise<readonly string[] | null>) => {
    const there = await paths
    if (there !== null && there.length > 0) state.reveal(there)
  }
  const bring = (folder: string, chosen: Promise<readonly ChosenFile[]>) => {
    const upload = async () => {
      const list = await chosen
      const [only] = list
      if (list.length !== 1 || !only?.file || !/\.zip$/i.test(only.path)) return actions.upload(folder, list)
      askAboutZip(only.file, folder, true)
      return null
    }
    revealAfter(upload()).catch(() =>
      say({ tone: 'failed', words: 'The folder could not be read. Nothing was uploaded.' }),
    )
  }
  const askAboutZip = (zip: File, folder: string, canKeep: boolean) => setDoing({ kind: 'zip', zip, folder, canKeep })
  const remove = (paths: readonly string[]) => {
    const [only] = paths
    const isOneFile = paths.length === 1 && tree.byPath.get(only ?? '')?.kind === 'file'
    if (isOneFile && draftsUnder(vfs, paths).length === 0) void actions.remove(paths)
    else setDoing({ kind: 'delete', paths, unsaved: draftsUnder(vfs, paths) })
  }
  /** After the question: what was typed in them and not saved goes too. */
  const removeAll = async (paths: readonly string[]) => {
    if (!(await actions.remove(paths))) return
    const unsaved = draftsUnder(vfs, paths)
    for (const file of unsaved) keepDraft(vfs, file, null)
    setOpened((before) => (before !== null && unsaved.includes(before.path) ? null : before))
  }
  const download = () => void actions.download(['/'])
  const open = (file: string, by: 'key' | 'pointer') => setOpened({ path: file, by })
  const rename = (from: string, name: string | null): string | null => {
    if (name === null) {
      setDoing(null)
      return null
    }
    const named = nameEntry(tree, parentOf(from), name, from)
    if (!named.ok) return named.message
    setDoing(null)
    void moveTo(from, named.path)
    return null
  }

  const onDrag = (event: DragEvent) => {
    const kind = dragKind(event.dataTransfer)
    if (kind === null) return
    event.preventDefault()
    event.stopPropagation()
    event.dataTransfer.dropEffect = kind === 'paths' ? 'move' : 'copy'
    setDropFolder(dropFolderAt(tree, event.target))
  }
  const onDrop = (event: DragEvent) => {
    const kind = dragKind(event.dataTransfer)
    setDropFolder(null)
    if (kind === null) return
    event.preventDefault()
    event.stopPropagation()
    const folder = dropFolderAt(tree, event.target)
    if (kind === 'files') bring(folder, droppedFiles(event.dataTransfer))
    else void revealAfter(actions.move(droppedPaths(event.dataTransfer.getData(pathsType)), folder))
  }
  const onPaste = (event: ClipboardEvent) => {
    if (event.clipboardData.files.length === 0 || event.target instanceof HTMLInputElement) return
    event.preventDefault()
    bring(state.folder, droppedFiles(event.clipboardData))
  }

  const isEmpty = tree.byPath.size === 0
  const wasEmpty = useRef(isEmpty)
  useEffect(() => {
    // The tree had the focus, and is gone with its last file.
    if (isEmpty && !wasEmpty.current && document.activeElement === document.body) emptyButton.current?.focus()
    wasEmpty.current = isEmpty
  }, [isEmpty])
  // A file that went while something was typed in it stays open: what was typed is all that is left.
  const openedHere =
    opened !== null && (tree.byPath.get(opened.path)?.kind === 'file' || draftOf(vfs, opened.path) !== null)
      ? opened.path
      : null
  return (
    <>
      <PanelHead
        files={{
          onCreate: (what) => setDoing({ kind: 'create', what, folder: state.folder }),
          onUpload: (chosen) => bring(state.folder, Promise.resolve(chosen)),
          onImportZip: (zip) => askAboutZip(zip, state.folder, false),
          onDownload: download,
          showOwn: state.showOwn,
          onShowOwn: state.setShowOwn,
        }}
        onClose={onClose}
      />
      <div
        className="group/body relative flex min-h-0 flex-1 flex-col data-target:inset-ring-2 data-target:inset-ring-ink"
        data-with-file={openedHere !== null || undefined}
        data-target={dropFolder === '/' || undefined}
        onDragOver={onDrag}
        onDragLeave={(event) => {
          if (!(event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget)))
            setDropFolder(null)
        }}
        onDrop={onDrop}
        onPaste={onPaste}
      >
        {doing?.kind === 'create' ? (
          <CreateLine
            {...doing}
            onDone={(name, left) => {
              const named = name === null ? null : nameEntry(tree, doing.folder, name)
              if (named?.ok === false) return named.message
              if (left) setDoing(null)
              else done()
              if (named) void create(doing.what, named.path)
              return null
            }}
          />
        ) : null}
        {isEmpty ? (
          <EmptyFiles button={emptyButton} onUpload={(chosen) => bring('/', Promise.resolve(chosen))} />
        ) : (
          <FileTree
            state={state}
            marks={marks}
            element={treeElement}
            renaming={doing?.kind === 'rename' ? doing.path : null}
            dropFolder={dropFolder}
            on={{
              open,
              menu: (paths, at) => setDoing({ kind: 'menu', paths, at }),
              rename: (file) => setDoing({ kind: 'rename', path: file }),
              renamed: rename,
              remove,
              copyPath: (paths) => void actions.copyPath(paths),
            }}
          />
        )}
        {openedHere === null ? (
          <ChangesSection conversationId={conversationId} onOpen={(file) => open(file, 'key')} />
        ) : (
          <OpenFile
            key={openedHere}
            focus={opened?.by === 'key'}
            vfs={vfs}
            path={openedHere}
            messageId={messageId}
            onClose={() => {
              // On a phone the tree is hidden until then.
              flushSync(() => setOpened(null))
              treeElement.current?.focus()
            }}
          />
        )}
      </div>
      <NoticeLine notice={notice} onDismiss={() => say(null)} />
      <PanelFoot usage={usage} history={history} onDownload={download} onForget={() => void actions.forget()}>
        <RestoreLink conversationId={conversationId} />
      </PanelFoot>
      {doing !== null && doing.kind !== 'create' && doing.kind !== 'rename' ? (
        <ExplorerDialogs
          asked={doing}
          tree={tree}
          vfs={vfs}
          messageId={messageId}
          onDone={done}
          onCloseMenu={() => setDoing(null)}
          onDelete={(paths) => void removeAll(paths)}
          onMove={(paths, folder) => void revealAfter(actions.move(paths, folder))}
          onUnpacked={(folder, paths) => void revealAfter(Promise.resolve(actions.unpacked(folder, paths)))}
          acts={{
            open: (file) => open(file, 'key'),
            rename: (file) => setDoing({ kind: 'rename', path: file }),
            move: (paths) => setDoing({ kind: 'move', paths }),
            duplicate: (paths) => void revealAfter(actions.duplicate(paths)),
            unpack: (file) => void unpackFile(file),
            download: (paths) => void actions.download(paths),
            copyPath: (paths) => void actions.copyPath(paths),
            remove,
          }}
        />
      ) : null}
    </>
  )

  async function moveTo(from: string, to: string): Promise<void> {
    if (!(await actions.rename(from, to))) return
    state.reveal([to])
  }

  async function create(what: 'file' | 'directory', made: string): Promise<void> {
    if (!(await actions.create(what, made))) return
    state.reveal([made])
    if (what === 'file') open(made, 'key')
  }

  async function unpackFile(file: string): Promise<void> {
    const read = await vfs.read(file)
    if (read.ok) askAboutZip(new File([read.value.slice()], nameOf(file)), parentOf(file), false)
    else say({ tone: 'failed', words: read.error.message })
  }
}
