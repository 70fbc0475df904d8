import { expect, it } from 'vitest'
import { createManualClock, settle } from '@/lib/server/chats/testing/manual-clock'
import type { Visit } from '@/lib/server/store/ports/store'
import { createQuotas, type QuotaSettings } from './requests/quotas.server'

const settings: QuotaSettings = {
  maxRunsPerAddress: 1,
  maxStreamsPerAddress: 1,
  maxQueued: 0,
  maxQueuedPerOwner: 0,
  maxBytesPerOwner: null,
  budgets: [],
  retentionDays: null,
  requestsPerMinute: 80,
  requestsPerMinuteOfAddress: 1_000,
  newcomersPerHour: 10,
  bytesPerDayOfAddress: 1_000,
}

it('records concurrent visitors in one statement, once a day each, and retries failed ones', async () => {
  const clock = createManualClock()
  const noted: (readonly Visit[])[] = []
  let away = false
  const fair = createQuotas(settings, {
    clientAddress: () => null,
    secret: new Uint8Array(32),
    now: () => clock.now(),
    after: (ms, task) => void clock.after(ms, task),
    store: {
      takeQuota: () => Promise.resolve(0),
      recordVisits(visits) {
        if (away) return Promise.reject(new Error('away'))
        noted.push(visits)
        return Promise.resolve()
      },
    },
  })
  const visit = (owner: string) => fair.visited(owner, { role: 'anonymous', address: null })
  for (let n = 0; n < 400; n += 1) visit(`v${n}`)
  visit('v1')
  await settle()
  expect(noted).toEqual([])
  await clock.pass(15_000)
  expect(noted.map((some) => some.length)).toEqual([400])
  away = true
  visit('late')
  await clock.pass(15_000)
  away = false
  visit('late')
  await clock.pass(15_000)
  expect(noted.at(-1)).toEqual([{ owner: 'late', hasAccount: false }])
})
