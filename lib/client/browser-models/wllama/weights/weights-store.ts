/** The storage of weights in this browser: files by name in one folder. */
export interface WeightsStore {
  names(): Promise<readonly string[]>
  /** Read in slices, not copied; null if there is none. */
  read(name: string): Promise<File | null>
  /**
   * Opens a file to append to it, and creates it if needed; it is locked until it is closed.
   * @throws {WeightsStoreBusy} it is open already, in this tab or another
   */
  append(name: string): Promise<WeightsWriter>
  remove(name: string): Promise<void>
}

export interface WeightsWriter {
  readonly bytes: number
  /** Removes the content. */
  clear(): void
  /** @throws {WeightsStoreFull} there is no space */
  write(bytes: Uint8Array<ArrayBuffer>): void
  close(): void
}

export class WeightsStoreBusy extends Error {
  override readonly name = 'WeightsStoreBusy'
}

export class WeightsStoreFull extends Error {
  override readonly name = 'WeightsStoreFull'
}

/** The browser's storage manager; browsers may lack some of these methods, or all of `navigator.storage`. */
interface StorageSpace {
  readonly persist?: () => Promise<boolean>
  readonly estimate?: () => Promise<StorageEstimate>
}

/**
 * Asks the browser not to evict stored data when space is short. Never rejects: the browser may refuse, or lack the
 * feature.
 */
export async function requestPersistence(storage: StorageSpace | null | undefined): Promise<boolean> {
  try {
    return (await storage?.persist?.()) ?? false
  } catch {
    return false
  }
}

/** Bytes that may still be stored; `null` if this browser does not say. */
export async function freeBytes(storage: StorageSpace | null | undefined): Promise<number | null> {
  const { quota, usage = 0 } = (await storage?.estimate?.()) ?? {}
  return quota === undefined ? null : Math.max(0, quota - usage)
}
