/** What a browser tells of its storage, and takes; one without a part of it lacks that method, or all of `navigator.storage`. */
export interface StorageSpace {
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
