/** Where weights are kept in this browser: files by name in one folder. */
export interface WeightsStore {
  names(): Promise<readonly string[]>
  /** Read by slices, not copied; null where there is none. */
  read(name: string): Promise<File | null>
  /**
   * Opens a file to write at its end, which is made where there is none; no one else may until it is closed.
   * @throws {WeightsStoreBusy} it is open already, in this tab or another
   */
  append(name: string): Promise<WeightsWriter>
  remove(name: string): Promise<void>
}

export interface WeightsWriter {
  readonly bytes: number
  /** Takes away what is there. */
  clear(): void
  /** @throws {WeightsStoreFull} there is no room */
  write(bytes: Uint8Array<ArrayBuffer>): void
  close(): void
}

export class WeightsStoreBusy extends Error {
  override readonly name = 'WeightsStoreBusy'
}

export class WeightsStoreFull extends Error {
  override readonly name = 'WeightsStoreFull'
}

/** What a browser tells of its storage, and takes; one without a part of it lacks that method, or all of `navigator.storage`. */
interface StorageSpace {
  readonly persist?: () => Promise<boolean>
  readonly estimate?: () => Promise<StorageEstimate>
}

/** Asks the browser not to take away what is kept when room is short. Never rejects: it may say no, or know no such question. */
export async function requestPersistence(storage: StorageSpace | null | undefined): Promise<boolean> {
  try {
    return (await storage?.persist?.()) ?? false
  } catch {
    return false
  }
}

/** Bytes that may still be kept; `null` where this browser does not say. */
export async function freeBytes(storage: StorageSpace | null | undefined): Promise<number | null> {
  const { quota, usage = 0 } = (await storage?.estimate?.()) ?? {}
  return quota === undefined ? null : Math.max(0, quota - usage)
}
