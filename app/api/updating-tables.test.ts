import { afterEach, expect, it } from 'vitest'
import { serverSlot } from '@/lib/server/wiring/requests/running-server'
import { setServer } from '@/lib/server/wiring/server'
import { GET as health } from './health/route'
import { GET as models } from './models/route'
import { GET as ready } from './ready/route'

afterEach(() => setServer(null))

it('answers while the tables are migrated: alive, not ready, and why', async () => {
  const slot = serverSlot()
  // It is opened later.
  slot.server = new Promise(() => {})
  slot.updating = { step: 9, total: 23 }
  expect(health().status).toBe(200)
  const asked = new Request('http://localhost:3000/api/models', { headers: { host: 'localhost:3000' } })
  for (const answer of [await ready(), await models(asked, { params: Promise.resolve({}) })]) {
    expect(answer.status).toBe(503)
    expect(answer.headers.get('retry-after')).toBe('5')
    expect(await answer.json()).toMatchObject({
      error: {
        code: 'unavailable',
        message: 'The server is starting and updates its database, step 9 of 23. Try again in a moment.',
      },
    })
  }
})
