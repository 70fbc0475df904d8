import { open, type FileHandle } from 'node:fs/promises'

/** Waits until what was committed is on the disk. */
export interface DiskSync {
  /** Resolves once all that was committed before the call would outlast a power cut. Rejects with what the disk says. */
  sync(): Promise<void>
  /** Nothing waits any more: whoever closes the database writes all of it out. */
  close(): void
}

/**
 * One sync at a time, for all that asked before it began: the commits of many people cost the disk one wait, and none of
 * them holds up the thread.
 */
export function createDiskSync(disk: { readonly flush: () => Promise<void>; readonly close: () => void }): DiskSync {
  let running: Promise<void> | null = null
  let next: Promise<void> | null = null
  let isClosed = false

  async function run(): Promise<void> {
    next = null
    try {
      await disk.flush()
    } catch (error) {
      if (!isClosed) throw error
    } finally {
      running = null
    }
  }

  function begin(): Promise<void> {
    running = run()
    return running
  }

  return {
    sync() {
      if (isClosed) return Promise.resolve()
      if (!running) return begin()
      next ??= running.then(begin, begin)
      return next
    },
    close() {
      isClosed = true
      disk.close()
    },
  }
}

/** The sync of a file that is there by the first call. */
export function createFileSync(file: string): DiskSync {
  let opened: Promise<FileHandle> | null = null
  return createDiskSync({
    async flush() {
      // For writing, as Windows wants it of whoever flushes.
      opened ??= open(file, 'r+')
      const handle = await opened.catch((error: unknown) => {
        opened = null
        throw error
      })
      await handle.datasync()
    },
    // It waits for a flush that is under way.
    close: () => void opened?.then((handle) => handle.close()).catch(() => {}),
  })
}
