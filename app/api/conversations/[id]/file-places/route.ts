import { wallClock } from '@/lib/base/clocks'
import { z } from 'zod'
import { json, noContent } from '../../../respond'
import { param, withOwner } from '../../../with-owner'

export const dynamic = 'force-dynamic'

const body = z.strictObject({
  browserId: z.string().min(1).max(64),
  browser: z.string().max(100),
  files: z.int().min(0).max(1_000_000),
})

/** Which browsers have files of the conversation; the server has none. */
export const GET = withOwner({}, async ({ owner, server, params }) => {
  const places = await server.store.accounts.listFilePlaces(owner, param(params, 'id'))
  return json({ places: places.filter(({ files }) => files > 0) })
})

export const PUT = withOwner({ body }, async ({ owner, server, params, body: place }) => {
  await server.store.accounts.recordFilePlace(owner, param(params, 'id'), { ...place, at: wallClock() })
  return noContent()
})
