'use client'

import { asUntrusted } from '@/lib/base/untrusted-text/foreign'
import { useEffectEvent, useLayoutEffect, useRef, useState, useEffect } from 'react'
import { nameOf, parentOf, isInside } from '@/lib/vfs/path'
import { t } from '@/lib/i18n/t'
import type { ChosenFile } from '../upload/read-drop'
import { draftsUnder, fileDraftOf, storeDraft, moveDrafts } from '../viewer/use-editing'
import type { Asked } from './explorer-dialogs'
import { createFileActions } from './file-actions'
import type { FileNotice } from './notice'
import { useTreeState } from './use-tree-state'
import type { Vfs, VfsTreeEntry, VfsUsage } from '@/lib/vfs/vfs'
import { type FileTree, nameEntry } from '@/lib/client/files/tree/tree-rows'
import { errorText } from '@/lib/base/app-error'
import { useToolRuntime } from '@/components/context/tool-runtime-context'
import type { ChangeSet, HistoryUsage } from '@/lib/vfs/vfs-history'

export interface WorkspaceFiles {
  readonly vfs: Vfs
  readonly entries: readonly VfsTreeEntry[]
  readonly usage: VfsUsage
  readonly sets: readonly ChangeSet[]
  readonly history: HistoryUsage
}

type Workspace =
  | { readonly phase: 'loading' }
  | { readonly phase: 'failed'; readonly message: string; readonly retry: () => void }
  | { readonly phase: 'ready'; readonly files: WorkspaceFiles }

const noHistory: HistoryUsage = { sets: 0, usedBytes: 0, limitBytes: 0 }

/** The conversation's current files, updated on changes in this or another tab. */
export function useWorkspace(conversationId: string): Workspace {
  const runtimeOf = useToolRuntime()
  const [state, setState] = useState<Workspace>({ phase: 'loading' })
  useEffect(() => {
    let wanted = true
    let unwatch = () => {}
    const fail = (message: string) => {
      if (wanted) setState({ phase: 'failed', message, retry: start })
    }
    const follow = async () => {
      const { vfs } = await runtimeOf(conversationId)
      if (!wanted) return
      const look = oneAtATime(async () => {
        const loaded = await loadFiles(vfs)
        if (!wanted) return
        if (typeof loaded === 'string') fail(loaded)
        else setState({ phase: 'ready', files: loaded })
      }, fail)
      unwatch = vfs.watch(look)
      look()
    }
    function start(): void {
      unwatch()
      follow().catch((error: unknown) => fail(errorText(error)))
    }
    start()
    return () => {
      wanted = false
      unwatch()
    }
  }, [conversationId, runtimeOf])
  return state
}

/** A sentence if the files can't be read. */
async function loadFiles(vfs: Vfs): Promise<WorkspaceFiles | string> {
  const [tree, usage, sets, history] = await Promise.all([
    vfs.tree('/'),
    vfs.usage(),
    vfs.history.list(),
    vfs.history.usage().catch(() => noHistory),
  ])
  if (!tree.ok) return tree.error.message
  // The tree is useful without its history.
  return { vfs, entries: tree.value, usage, sets: sets.ok ? sets.value : [], history }
}

/** Coalesces changes into one more read after the one in progress. */
function oneAtATime(look: () => Promise<void>, onError: (message: string) => void): () => void {
  let running = false
  let again = false
  const run = async () => {
    running = true
    do {
      again = false
      await look()
    } while (again)
  }
  return () => {
    if (running) {
      again = true
      return
    }
    run()
      .catch((error: unknown) => onError(errorText(error)))
      .finally(() => {
        running = false
      })
  }
}

interface OpenedFile {
  readonly path: string
  /** A key also moves the focus. */
  readonly by: 'key' | 'pointer'
}

/** The file that is open beside the tree; follows moves. */
function useOpenedFile(vfs: Vfs, tree: FileTree) {
  const [opened, setOpened] = useState<OpenedFile | null>(null)
  // A deleted file with unsaved text stays open, because the text exists nowhere else.
  const isThere =
    opened !== null && (tree.byPath.get(opened.path)?.kind === 'file' || fileDraftOf(vfs, opened.path) !== null)
  return {
    opened: isThere ? opened : null,
    open: (path: string, by: OpenedFile['by']) => setOpened({ path, by }),
    close: () => setOpened(null),
    /** A file or folder was moved; its unsaved text moves with it. */
    onMoved: (from: string, to: string) => {
      moveDrafts(vfs, from, to)
      setOpened((before) =>
        before !== null && isInside(before.path, from)
          ? { ...before, path: to + before.path.slice(from.length) }
          : before,
      )
    },
    /** Discards their unsaved text. */
    forget: (paths: readonly string[]) => {
      const unsaved = draftsUnder(vfs, paths)
      for (const file of unsaved) storeDraft(vfs, file, null)
      setOpened((before) => (before !== null && unsaved.includes(before.path) ? null : before))
    },
  }
}

/** What is being named or asked; one at a time. */
export type Doing =
  | { readonly kind: 'create'; readonly what: 'file' | 'directory'; readonly folder: string }
  | { readonly kind: 'rename'; readonly path: string }
  | Asked

/** The panel's state and actions: the tree, the open file, the open question, and the last result. */
export function useExplorer({ vfs, entries }: Pick<WorkspaceFiles, 'vfs' | 'entries'>, messageId: string | null) {
  const state = useTreeState(entries)
  const { tree } = state
  const [notice, say] = useState<FileNotice | null>(null)
  const [doing, setDoing] = useState<Doing | null>(null)
  const file = useOpenedFile(vfs, tree)
  const treeElement = useRef<HTMLDivElement>(null)
  const actions = createFileActions({ vfs, tree, messageId, onMoved: file.onMoved, say })

  const fail = (words: string) => say({ tone: 'failed', words })
  const revealAfter = async (paths: Promise<readonly string[] | null>) => {
    const there = await paths
    if (there !== null && there.length > 0) state.reveal(there)
  }
  const askAboutZip = (zip: File, folder: string, canKeep: boolean) => setDoing({ kind: 'zip', zip, folder, canKeep })
  const upload = async (folder: string, chosen: Promise<readonly ChosenFile[]>) => {
    const list = await chosen
    const [only] = list
    if (list.length !== 1 || !only?.file || !/\.zip$/i.test(only.path)) return actions.upload(folder, list)
    askAboutZip(only.file, folder, true)
    return null
  }
  const moveTo = async (from: string, to: string) => {
    if (await actions.rename(from, to)) state.reveal([to])
  }
  const create = async (what: 'file' | 'directory', made: string) => {
    if (!(await actions.create(what, made))) return
    state.reveal([made])
    if (what === 'file') file.open(made, 'key')
  }

  return {
    state,
    file,
    actions,
    notice,
    say,
    doing,
    setDoing,
    treeElement,
    askAboutZip,
    /** Ends it and returns the focus to the tree. */
    done: () => {
      setDoing(null)
      treeElement.current?.focus()
    },
    bring: (folder: string, chosen: Promise<readonly ChosenFile[]>) => {
      revealAfter(upload(folder, chosen)).catch(() => fail(t('files-explorer.not-read')))
    },
    move: (paths: readonly string[], folder: string) => void revealAfter(actions.move(paths, folder)),
    duplicate: (paths: readonly string[]) => void revealAfter(actions.duplicate(paths)),
    unpacked: (folder: string, paths: readonly string[]) =>
      void revealAfter(Promise.resolve(actions.unpacked(folder, paths))),
    /** A folder on disk was linked or unlinked. */
    linked: (paths: readonly string[]) => void revealAfter(Promise.resolve(paths)),
    unpack: async (path: string) => {
      const read = await vfs.read(path)
      if (read.ok) askAboutZip(new File([read.value.slice()], nameOf(path)), parentOf(path), false)
      else fail(read.error.message)
    },
    /**
     * One file is deleted immediately, because it can be restored; several files or unsaved text need a confirmation.
     */
    remove: (paths: readonly string[]) => {
      const [only] = paths
      const unsaved = draftsUnder(vfs, paths)
      const isOneFile = paths.length === 1 && tree.byPath.get(only ?? '')?.kind === 'file'
      if (isOneFile && unsaved.length === 0) void actions.remove(paths)
      else setDoing({ kind: 'delete', paths, unsaved })
    },
    /** Called after the confirmation. */
    removeAll: async (paths: readonly string[]) => {
      if (await actions.remove(paths)) file.forget(paths)
    },
    /** Null cancels. Returns a sentence if the name can't be used. */
    rename: (from: string, name: string | null): string | null => {
      const named = name === null ? null : nameEntry(tree, parentOf(from), name, from)
      if (named?.ok === false) return named.message
      setDoing(null)
      if (named) void moveTo(from, named.path)
      return null
    },
    /** Like `rename`, for a new file or folder. */
    named: (what: 'file' | 'directory', folder: string, name: string | null): string | null => {
      const named = name === null ? null : nameEntry(tree, folder, name)
      if (named?.ok === false) return named.message
      if (named) void create(what, named.path)
      return null
    },
  }
}

export type ExplorerModel = ReturnType<typeof useExplorer>

/** Reveals a path requested from elsewhere; each request is a new object. */
export function useWantedPath(
  wanted: { readonly path: string } | null,
  entries: WorkspaceFiles['entries'],
  { state, file, say }: Pick<ExplorerModel, 'state' | 'file' | 'say'>,
): void {
  const show = useEffectEvent((path: string) => {
    const kind = entries.find((entry) => entry.path === path)?.kind
    if (kind === undefined)
      return say({ tone: 'failed', words: t('files-explorer.no-file', { path: asUntrusted(path) }) })
    if (!state.tree.byPath.has(path)) state.setShowOwn(true)
    state.reveal([path])
    if (kind === 'file') file.open(path, 'pointer')
  })
  // Runs before the first paint.
  useLayoutEffect(() => {
    if (wanted !== null) show(wanted.path)
  }, [wanted])
}
