import {
  cleanTag,
  type ListFilter,
  listPositionOf,
  type ListPosition,
} from '@/lib/shared/conversation/search/list-filter'
import type { MemoryPlace } from '@/lib/shared/conversation/settings/project'
import { makeError } from '@/lib/i18n/t'
import { id } from './schemas'

const MOST_MESSAGES = 200
const MOST_IDS = 100
const MAX_QUERY_CHARS = 200

/** `?q=TEXT`: the search text. */
export const queryOf = (url: URL): string => (url.searchParams.get('q') ?? '').trim().slice(0, MAX_QUERY_CHARS)

/** `?archived=1&tag=TAG&project=ID`: the filter of the list. */
export function listFilterIn({ searchParams }: URL): ListFilter {
  const tag = searchParams.get('tag')
  const project = searchParams.get('project')
  return {
    ...(searchParams.get('archived') === '1' && { archived: true }),
    ...(tag !== null && { tag: cleanTag(tag) }),
    ...(project !== null && { project: idOf(project) }),
  }
}

/** An id in a query. */
function idOf(text: string): string {
  const read = id.safeParse(text)
  if (!read.success) throw makeError('bad-request', 'server.bad-ids', { most: 1 })
  return read.data
}

/** `?project=ID`, nothing for the owner's own memory, or `?chat=ID` with `&of=project` for that of its project. */
export function memoryPlaceIn({ searchParams }: URL): MemoryPlace {
  const [project, chat] = [searchParams.get('project'), searchParams.get('chat')]
  if (chat !== null) return { chat: idOf(chat), kind: searchParams.get('of') === 'project' ? 'project' : 'user' }
  return { project: project === null ? null : idOf(project) }
}

/** `?last=N`: the most messages; undefined if left out, for all. */
export function lastOf(url: URL): number | undefined {
  const text = url.searchParams.get('last')
  if (text === null) return undefined
  const last = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (last < 1 || last > MOST_MESSAGES) throw makeError('bad-request', 'server.bad-last', { most: MOST_MESSAGES })
  return last
}

/** `?ids=ID,ID…`: which messages. */
export function idsOf(url: URL): readonly string[] {
  const ids = (url.searchParams.get('ids') ?? '').split(',')
  if (ids.length > MOST_IDS || !ids.every((one) => id.safeParse(one).success)) {
    throw makeError('bad-request', 'server.bad-ids', { most: MOST_IDS })
  }
  return [...new Set(ids)]
}

/** `?after=PLACE` of a list, as the previous page returned it. */
export function listPositionIn(url: URL): ListPosition | undefined {
  const text = url.searchParams.get('after')
  if (text === null) return undefined
  const place = listPositionOf(text)
  if (!place) throw makeError('bad-request', 'server.bad-place')
  return place
}
