import { fetchNoting } from './nod-api.browser'
import type { ConversationsResponse, TagsResponse } from '@/lib/shared/conversation/wire/api-types'
import type { ListFilter, FoundPage } from '@/lib/shared/conversation/search/list-filter'
import type { ApiAnswer } from '../api/api-failure'
import { createApiClient } from '../api/api-client'

/** The requests for searching and sorting chats. Loaded when someone first searches. */
function createFindApi(fetchFrom: typeof fetch) {
  const { ask, askFor } = createApiClient(fetchFrom)
  return {
    /** Messages that contain all words of a query, newest first. */
    search(query: string, after: string | null, signal: AbortSignal, project?: string): Promise<ApiAnswer<FoundPage>> {
      const place = { ...(after !== null && { after }), ...(project !== undefined && { project }) }
      const params = new URLSearchParams({ q: query, ...place })
      return ask('GET', `/api/search?${params}`, { signal })
    },
    /** Returns a page of a part of the list. */
    chats(
      query: string,
      { archived, tag, project }: ListFilter,
      after: string | null,
      signal: AbortSignal,
    ): Promise<ApiAnswer<ConversationsResponse>> {
      const params = new URLSearchParams({
        ...(query.trim() !== '' && { q: query }),
        ...(archived && { archived: '1' }),
        ...(tag !== undefined && { tag }),
        ...(project !== undefined && { project }),
        ...(after !== null && { after }),
      })
      return ask('GET', `/api/conversations?${params}`, { signal })
    },
    /** Returns which of these chats exist. */
    known: (ids: readonly string[]) =>
      askFor<readonly string[]>('known', 'POST', '/api/conversations/known', { body: { ids } }),
    /** Asks one of the server's models for a title for a chat. */
    suggestTitle: (conversationId: string, signal: AbortSignal): Promise<ApiAnswer<string>> =>
      askFor<string>('title', 'POST', `/api/conversations/${encodeURIComponent(conversationId)}/title`, { signal }),
    tags: () => ask<TagsResponse>('GET', '/api/tags'),
  }
}

/** The page's requests for finding chats and messages. */
export const findApi = createFindApi(fetchNoting)
