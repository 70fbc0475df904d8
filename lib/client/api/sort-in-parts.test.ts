import { expect, it, vi } from 'vitest'
import { ok } from '@/lib/base/result'
import { maxBulkChats } from '@/lib/shared/conversation/search/list-filter'
import { unreachable } from './api-failure'
import type { NodApi } from './nod-api'
import { sortInParts } from './deletions'

const ids = Array.from({ length: 2 * maxBulkChats + 1 }, (_, n) => `c${n}`)

it('changes a thousand chats and more, at most as many at once as the server accepts', async () => {
  const sortChats = vi.fn<NodApi['sortChats']>((some) => Promise.resolve(ok(some)))
  expect(await sortInParts({ sortChats }, ids, { deleted: true })).toEqual({ done: ids, problem: null })
  expect(sortChats.mock.calls.map(([some]) => some.length)).toEqual([maxBulkChats, maxBulkChats, 1])
})

it('says what was done before the server could not be reached', async () => {
  const sortChats = vi
    .fn<NodApi['sortChats']>()
    .mockImplementationOnce((some) => Promise.resolve(ok(some)))
    .mockResolvedValue(unreachable())
  const { done, problem } = await sortInParts({ sortChats }, ids, { archived: true })
  expect(done).toEqual(ids.slice(0, maxBulkChats))
  expect(problem?.code).toBe('unreachable')
  expect(sortChats).toHaveBeenCalledTimes(2)
})
