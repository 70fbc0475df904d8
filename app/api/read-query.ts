import { listPlaceOf, type ListPlace } from '@/lib/conversation/list-page'
import { serverError } from '@/lib/words/server'
import { id } from './schemas'

const MOST_MESSAGES = 200
const MOST_IDS = 100

/** `?last=N`: how many messages at most; undefined where it is left out: all. */
export function lastOf(url: URL): number | undefined {
  const text = url.searchParams.get('last')
  if (text === null) return undefined
  const last = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (last < 1 || last > MOST_MESSAGES) throw serverError('bad-request', 'server.bad-last', { most: MOST_MESSAGES })
  return last
}

/** `?ids=ID,ID…`: which messages. */
export function idsOf(url: URL): readonly string[] {
  const ids = (url.searchParams.get('ids') ?? '').split(',')
  if (ids.length > MOST_IDS || !ids.every((one) => id.safeParse(one).success)) {
    throw serverError('bad-request', 'server.bad-ids', { most: MOST_IDS })
  }
  return [...new Set(ids)]
}

/** `?after=PLACE` of a list, as the page before it said it. */
export function placeIn(url: URL): ListPlace | undefined {
  const text = url.searchParams.get('after')
  if (text === null) return undefined
  const place = listPlaceOf(text)
  if (!place) throw serverError('bad-request', 'server.bad-place')
  return place
}
