'use client'

import { parentOf } from '@/lib/vfs/path'
import type { FileTree } from '@/lib/client/files/tree/tree-rows'
import { useState, type ClipboardEvent, type DragEvent, useEffect } from 'react'
import { droppedFiles, type ChosenFile } from '../upload/read-drop'
import type { DiskFolderHandle } from '@/lib/client/folder/disk'
import type { TreeState } from './use-tree-state'

/** What a drag within the tree carries: a JSON list of paths. */
export const pathsType = 'application/x-nod-paths'

interface DragData {
  readonly types: readonly string[]
}

/** What is dragged, as far as a page may know before it is dropped. */
export const dragKind = ({ types }: DragData): 'paths' | 'files' | null =>
  types.includes(pathsType) ? 'paths' : types.includes('Files') ? 'files' : null

/** The folder that is meant by the line under the pointer: itself, or the one it lies in; the top folder beside the lines. */
export function dropFolderAt(tree: FileTree, element: EventTarget | null): string {
  const line = element instanceof Element ? element.closest<HTMLElement>('[data-path]') : null
  const path = line?.dataset['path']
  if (path === undefined) return '/'
  return tree.byPath.get(path)?.kind === 'directory' ? path : parentOf(path)
}

interface HandleItem {
  readonly getAsFileSystemHandle?: () => Promise<unknown>
}

/** The one folder that was dropped, where the browser can link it; null for anything else. Must be asked before the event ends. */
function droppedFolder({ items }: DataTransfer): Promise<DiskFolderHandle | null> | null {
  const [item] = items ?? []
  if (items?.length !== 1 || !item?.webkitGetAsEntry?.()?.isDirectory) return null
  const handle = (item as HandleItem).getAsFileSystemHandle?.()
  return handle ? (handle as Promise<DiskFolderHandle | null>) : null
}

/** The paths of a drop from the tree. Anything else on the same type counts as none. */
export function droppedPaths(text: string): readonly string[] {
  try {
    const paths: unknown = JSON.parse(text)
    return Array.isArray(paths) ? paths.filter((path): path is string => typeof path === 'string') : []
  } catch {
    return []
  }
}

const REST_MS = 600

/** Opens the folder that a drag rests on, so that one can continue into it. */
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
  /** Asks whether the folder that was dropped is linked, or uploaded into `folder` as everything else is. */
  readonly link: (
    dropped: Promise<DiskFolderHandle | null>,
    folder: string,
    chosen: Promise<readonly ChosenFile[]>,
  ) => void
}

/** What is dragged, dropped and pasted on the panel: files from outside, paths of the tree. */
export function useFileDrop({ state, bring, move, link }: FileDropPorts) {
  const { tree } = state
  /** The folder under the pointer; null: nothing is dragged over the panel. */
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
