import { maxBulkChats, type ChatsChange } from '@/lib/shared/conversation/search/list-filter'
import type { ApiFailure } from './api-failure'
import type { NodApi } from './nod-api'

/** Changes any number of chats, as many at once as the server takes. Ends at the first part that it refuses. */
export async function sortInParts(
  api: Pick<NodApi, 'sortChats'>,
  ids: readonly string[],
  change: ChatsChange,
): Promise<{ readonly done: readonly string[]; readonly problem: ApiFailure | null }> {
  const done: string[] = []
  for (let at = 0; at < ids.length; at += maxBulkChats) {
    const answer = await api.sortChats(ids.slice(at, at + maxBulkChats), change)
    if (!answer.ok) return { done, problem: answer.error }
    done.push(...answer.value)
  }
  return { done, problem: null }
}
