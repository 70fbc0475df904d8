import type { ChatsChange, TagCount } from '@/lib/shared/conversation/search/list-filter'

/** `deleted_at` of a chat whose owner deleted everything: it cannot be taken back, whatever a clock says. */
export const ERASED = 0

/** Where chats stand in their owner's list. */
export interface ChatListStore {
  /**
   * Changes many chats, in one transaction, and gives those of them that are there. Refuses with AppError `bad-request` where more would
   * be pinned, or more tags be used, than can be.
   */
  sortConversations(owner: string, ids: readonly string[], change: ChatsChange, now: number): Promise<readonly string[]>
  /** The tags that an owner uses, by name. */
  listTags(owner: string): Promise<readonly TagCount[]>
  /** Lets go of chats that were deleted before, at most so many; of all owners. Gives how many went. */
  purgeDeleted(before: number, atMost: number): Promise<number>
}
