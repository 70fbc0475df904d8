'use client'

import { parentOf } from '@/lib/vfs/path'
import type { FileTree } from '@/lib/client/files/tree/tree-rows'
import { useState, type ClipboardEvent, type DragEvent, useEffect } from 'react'
import { droppedFiles, type ChosenFile } from '../upload/read-drop'
import type { DiskFolderHandle } from '@/lib/client/folder/disk'
import type { TreeState } from './use-tree-state'

/** The data of a drag within the tree: a JSON list of paths. */
export const pathsType = 'application/x-nod-paths'

interface DragData {
  readonly types: readonly string[]
}

/** The kind of a drag, as far as a page can know before the drop. */
export const dragKind = ({ types }: DragData): 'paths' | 'files' | null =>
  types.includes(pathsType) ? 'paths' : types.includes('Files') ? 'files' : null

/** The target folder of the row under the pointer: itself or its parent; the top folder outside the rows. */
export function dropFolderAt(tree: FileTree, element: EventTarget | null): string {
  const line = element instanceof Element ? element.closest<HTMLElement>('[data-path]') : null
  const path = line?.dataset['path']
  if (path === undefined) return '/'
  return tree.byPath.get(path)?.kind === 'directory' ? path : parentOf(path)
}

interface HandleItem {
  readonly getAsFileSystemHandle?: () => Promise<unknown>
}

/**
 * The one folder that was dropped, if the browser can link it; null for anything else. Call it before the drop event
 * ends.
 */
function droppedFolder({ items }: DataTransfer): Promise<DiskFolderHandle | null> | null {
  const [item] = items ?? []
  if (items?.length !== 1 || !item?.webkitGetAsEntry?.()?.isDirectory) return null
  const handle = (item as HandleItem).getAsFileSystemHandle?.()
  return handle ? (handle as Promise<DiskFolderHandle | null>) : null
}

/** The paths of a drop from the tree; other data of the same type gives none. */
export function droppedPaths(text: string): readonly string[] {
  try {
    const paths: unknown = JSON.parse(text)
    return Array.isArray(paths) ? paths.filter((path): path is string => typeof path === 'string') : []
  } catch {
    return []
  }
}

const REST_MS = 600

/** Opens a folder that a drag hovers over. */
function useRestOpen(folder: string | null, setOpen: (folder: string, open: boolean) => void): void {
  useEffect(() => {
    if (folder === null || folder === '/') return
    const timer = setTimeout(() => setOpen(folder, true), REST_MS)
    return () => clearTimeout(timer)
  }, [folder, setOpen])
}

export interface FileDropPorts {
  readonly state: TreeState
  readonly bring: (folder: string, chosen: Promise<readonly ChosenFile[]>) => void
  readonly move: (paths: readonly string[], folder: string) => void
  /** Asks whether to link the dropped folder, or to upload it into `folder` like other files. */
  readonly link: (
    dropped: Promise<DiskFolderHandle | null>,
    folder: string,
    chosen: Promise<readonly ChosenFile[]>,
  ) => void
}

/** Drag, drop and paste on the panel: files from outside, and paths of the tree. */
export function useFileDrop({ state, bring, move, link }: FileDropPorts) {
  const { tree } = state
  /** The folder under the pointer; null if nothing is dragged over the panel. */
  const [folder, setFolder] = useState<string | null>(null)
  useRestOpen(folder, state.setOpen)

  const taken = (event: DragEvent) => {
    const kind = dragKind(event.dataTransfer)
    if (kind === null) return null
    event.preventDefault()
    event.stopPropagation()
    return kind
  }
  return {
    folder,
    listeners: {
      onDragOver(event: DragEvent) {
        const kind = taken(event)
        if (kind === null) return
        event.dataTransfer.dropEffect = kind === 'paths' ? 'move' : 'copy'
        setFolder(dropFolderAt(tree, event.target))
      },
      onDragLeave(event: DragEvent) {
        const isInside = event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget)
        if (!isInside) setFolder(null)
      },
      onDrop(event: DragEvent) {
        const kind = taken(event)
        setFolder(null)
        if (kind === null) return
        const target = dropFolderAt(tree, event.target)
        const dropped = kind === 'files' ? droppedFolder(event.dataTransfer) : null
        if (dropped !== null) link(dropped, target, droppedFiles(event.dataTransfer))
        else if (kind === 'files') bring(target, droppedFiles(event.dataTransfer))
        else move(droppedPaths(event.dataTransfer.getData(pathsType)), target)
      },
      onPaste(event: ClipboardEvent) {
        if (event.clipboardData.files.length === 0 || event.target instanceof HTMLInputElement) return
        event.preventDefault()
        bring(state.folder, droppedFiles(event.clipboardData))
      },
    },
  }
}
