'use client'

import { useState, type ClipboardEvent, type DragEvent, useEffect } from 'react'
import { droppedFiles, type ChosenFile } from '../upload/read-drop'
import { dragKind, dropFolderAt, droppedPaths, pathsType } from './drop-target'
import type { TreeState } from './use-tree-state'

const REST_MS = 600

/** Opens the folder that a drag rests on, so that one can go on into it. */
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
}

/** What is dragged, dropped and pasted on the panel: files from outside, paths of the tree. */
export function useFileDrop({ state, bring, move }: FileDropPorts) {
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
        if (kind === 'files') bring(target, droppedFiles(event.dataTransfer))
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
