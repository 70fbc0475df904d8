import { open, type FileHandle } from 'node:fs/promises'

/** Waits until committed data is on the disk. */
export interface DiskSync {
  /**
   * Resolves once everything that was committed before the call would survive a power failure. Rejects with the disk's
   * error.
   */
  sync(): Promise<void>
  /** Nothing waits any more; closing the database flushes everything. */
  close(): void
}

/**
 * Runs one sync at a time for all requests that came before it began: many commits share one wait, and none of them
 * blocks the thread.
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

/** Syncs a file that exists by the first call. */
export function createFileSync(file: string): DiskSync {
  let opened: Promise<FileHandle> | null = null
  return createDiskSync({
    async flush() {
      // Opened for writing, which Windows requires for a flush.
      opened ??= open(file, 'r+')
      const handle = await opened.catch((error: unknown) => {
        opened = null
        throw error
      })
      await handle.datasync()
    },
    // Closes after a running flush.
    close: () => void opened?.then((handle) => handle.close()).catch(() => {}),
  })
}
