import type { TabModel } from '@/lib/shared/conversation/wire/tab-run'

/** Which tab writes a run, and what it says of its model. */
export interface RunWriterRow {
  /** SHA-256 of the tab's key, in hex. */
  readonly keyHash: string
  readonly model: TabModel
}
