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
