import type { ReadableChat, ShownParts } from '@/lib/shared/conversation/readable/readable-chat'
import type { SharedLink } from '@/lib/shared/conversation/readable/share'

export interface NewShare {
  readonly id: string
  readonly conversationId: string
  readonly tokenHash: string
  readonly chat: ReadableChat
  readonly shown: ShownParts
  readonly createdAt: number
  readonly expiresAt: number
}

/** A chat as a link shows it. Whose it is is not said. */
export interface SharedChat {
  readonly chat: ReadableChat
  readonly createdAt: number
  readonly expiresAt: number
}

/** Links to read chats by. */
export interface ShareStore {
  /**
   * Keeps what a link shows. Refuses with AppError `not-found` (no such chat), `storage-full`, and `conflict` where the owner has
   * as many as can be.
   */
  addShare(owner: string, share: NewShare, maxBytes: number | null): Promise<SharedLink>
  /** Those that stand at `now`, the newest first; of one chat where that is named. */
  listShares(owner: string, now: number, conversationId?: string): Promise<readonly SharedLink[]>
  /** Ends a link: nothing is left of what it showed. False: there is none. */
  removeShare(owner: string, id: string): Promise<boolean>
  /** What the link of that secret shows; null where there is none, it has expired, its chat was deleted, or its owner's account is disabled. Of any owner. */
  readShare(tokenHash: string, now: number): Promise<SharedChat | null>
  /** Lets go of links that expired before, at most so many; of all owners. */
  sweepShares(before: number, atMost: number): Promise<number>
}
