import type { FoundPage } from '@/lib/shared/conversation/search/found-message'

/** Finding messages by their words. */
export interface SearchStore {
  /**
   * Messages of an owner that hold all words of a query, newest first; `after` is what the page before gave as `next`. Words are
   * found from their beginning on, whatever their case and accents, Chinese by any two characters that follow each other.
   */
  searchMessages(owner: string, query: string, limit: number, after?: string): Promise<FoundPage>
  /**
   * Reads the words of messages that were written since, of at most so many, into the index; of all owners. Gives how many: 0 when all
   * are read. What is killed on the way is read again; any number of processes may do it at once.
   */
  indexWords(atMost: number): Promise<number>
}
