import type { Told } from '@/lib/i18n/t'

/** Why a search ended before its end. `reason` as of a tool's failure. */
export interface SearchFailure {
  readonly reason: 'timed-out' | 'stopped' | 'unavailable'
  readonly told: Told
  /** Where it was, as a path or path:line; null: at the beginning. */
  readonly from: string | null
}
