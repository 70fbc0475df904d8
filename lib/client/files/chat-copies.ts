import { ok } from '@/lib/base/result'
import { createFilesCopy, type FilesCopy } from '@/lib/vfs/copy/files-copy'
import type { Vfs } from '@/lib/vfs/vfs'
import type { VfsResult } from '@/lib/vfs/vfs-result'

export interface ChatCopies {
  /** Opens the copy in this page; returns the same one each time. */
  readonly open: (copyId: string) => FilesCopy
  /** Closes a copy and deletes its data in the browser. Rejects if the browser refuses. */
  readonly drop: (copyId: string) => Promise<void>
  /** Moves the calls' changes on each copy to a copy in other storage, which has the same files. */
  readonly moveTo: (openFiles: ChatCopiesPorts['openFiles']) => Promise<VfsResult<null>>
  readonly close: () => void
}

interface ChatCopiesPorts {
  readonly openFiles: (copyId: string) => Vfs
  readonly deleteFiles: (copyId: string) => Promise<void>
}

/** The copies of one chat's files in this page. There is one at a time; an earlier one may still be closing. */
export function createChatCopies(base: Vfs, { openFiles, deleteFiles }: ChatCopiesPorts): ChatCopies {
  const copies = new Map<string, FilesCopy>()
  return {
    open(copyId) {
      const copy = copies.get(copyId) ?? createFilesCopy(base, openFiles(copyId))
      copies.set(copyId, copy)
      return copy
    },
    async drop(copyId) {
      await copies.get(copyId)?.files.close()
      copies.delete(copyId)
      await deleteFiles(copyId)
    },
    async moveTo(openOther) {
      for (const [copyId, copy] of copies) {
        const other = openOther(copyId)
        try {
          const moved = await copy.moveTo(other)
          if (!moved.ok) return moved
        } finally {
          await other.close()
        }
      }
      return ok(null)
    },
    close() {
      for (const { files } of copies.values()) void files.close()
      copies.clear()
    },
  }
}
