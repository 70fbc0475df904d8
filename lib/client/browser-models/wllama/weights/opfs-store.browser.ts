import { WeightsStoreBusy, WeightsStoreFull, type WeightsStore, type WeightsWriter } from './weights-store'

/** In the browser's private file system; deleting the site's data deletes it. */
const FOLDER = 'nod-models'

const isNamed = (error: unknown, name: string): boolean => error instanceof DOMException && error.name === name

/** @throws DOMException if this browser stores no files for pages, as in some private windows */
export async function openOpfsStore(storage: StorageManager | null): Promise<WeightsStore> {
  if (!storage) throw new DOMException('This browser keeps no files for this site.', 'SecurityError')
  const folder = await (await storage.getDirectory()).getDirectoryHandle(FOLDER, { create: true })

  async function read(name: string): Promise<File | null> {
    try {
      return await (await folder.getFileHandle(name)).getFile()
    } catch (error) {
      if (isNamed(error, 'NotFoundError')) return null
      throw error
    }
  }

  return {
    names: () => Array.fromAsync(folder.keys()),
    read,
    append: (name) => openWriter(folder, name),
    async remove(name) {
      try {
        await folder.removeEntry(name)
      } catch (error) {
        if (isNamed(error, 'NoModificationAllowedError')) throw new WeightsStoreBusy(name)
        if (!isNamed(error, 'NotFoundError')) throw error
      }
    },
  }
}

/** Deletes all weights of this browser; there may be none. Rejects while a tab downloads some. */
export async function removeStoredWeights(storage: Pick<StorageManager, 'getDirectory'> | null): Promise<void> {
  try {
    // Missing on plain http, and refused in some private windows: nothing was stored there.
    const root = await storage?.getDirectory?.().catch(() => undefined)
    await root?.removeEntry(FOLDER, { recursive: true })
  } catch (error) {
    if (!isNamed(error, 'NotFoundError')) throw error
  }
}

/** Available in workers only, so TypeScript's types for pages do not include it. */
interface SyncHandle {
  createSyncAccessHandle(): Promise<{
    getSize(): number
    truncate(bytes: number): void
    write(part: Uint8Array<ArrayBuffer>, options: { readonly at: number }): number
    flush(): void
    close(): void
  }>
}

async function openWriter(folder: FileSystemDirectoryHandle, name: string): Promise<WeightsWriter> {
  const handle = (await folder.getFileHandle(name, { create: true })) as FileSystemFileHandle & SyncHandle
  const access = await handle.createSyncAccessHandle().catch((error: unknown) => {
    throw isNamed(error, 'NoModificationAllowedError') ? new WeightsStoreBusy(name) : error
  })
  let bytes = access.getSize()
  return {
    get bytes() {
      return bytes
    },
    clear() {
      access.truncate(0)
      bytes = 0
    },
    write(part) {
      let written: number
      try {
        written = access.write(part, { at: bytes })
      } catch (error) {
        throw isNamed(error, 'QuotaExceededError') ? new WeightsStoreFull(name) : error
      }
      // Chromium throws nothing if there is no space: it writes a part, and returns -8 as a count of bytes.
      if (written !== part.length) throw new WeightsStoreFull(name)
      bytes += written
    },
    close() {
      access.flush()
      access.close()
    },
  }
}
