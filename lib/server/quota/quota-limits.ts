import type { BudgetRule, AskerRole } from '@/lib/shared/models/budget'

/** Who asks, as far as limits go. */
export interface Visitor {
  readonly role: AskerRole
  /** The keyed hash of the address, where a trusted proxy said it; never the address itself. */
  readonly address: string | null
}

export const anonymousVisitor: Visitor = { role: 'anonymous', address: null }

/** How what a server has is shared; on all its nodes together where nothing else is said. */
export interface QuotaLimits {
  /** Replies that are written at a time for all who come from one address. */
  readonly maxRunsPerAddress: number
  /** Views of running replies that all who come from one address hold open on one node. */
  readonly maxStreamsPerAddress: number
  /** Replies of one owner that wait for a place. */
  readonly maxQueuedPerOwner: number
  /** Replies that wait in this process. */
  readonly maxQueued: number
  /** What one owner may keep; null: any amount. */
  readonly maxBytesPerOwner: number | null
  readonly budgets: readonly BudgetRule[]
  /** Chats that nobody touched for so long are deleted; null: never. */
  readonly retentionDays: number | null
}
