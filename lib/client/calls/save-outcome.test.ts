import { expect, it } from 'vitest'
import type { FinishCall } from '@/lib/shared/conversation/wire/call-requests'
import { testCall, testOutcome } from '@/lib/server/store/testing/rows'
import { saveOutcome } from './save-outcome'

it.each(['too-large', 'storage-full'] as const)(
  'stores a shortened outcome if there is no space for all of it (%s), so that the call ends',
  async (code) => {
    const sent: FinishCall[] = []
    const stored = testCall('a1', 0)
    const api = {
      finishCall(_id: string, body: FinishCall) {
        sent.push(body)
        const isShort = JSON.stringify(body).length < 1_000
        const refusal = { reason: 'store.full', values: {}, message: 'No room.' }
        return Promise.resolve(
          isShort ? { ok: true, value: stored } : { ok: false, error: { code, status: 507, ...refusal } },
        )
      },
    }
    const recorded: unknown[] = []
    const reply = {
      conversationId: 'c',
      messageId: 'a1',
      liveOf: () => undefined,
      setLive: () => {},
      record: (row: unknown) => recorded.push(row),
    }
    const outcome = { ...testOutcome('x'.repeat(5_000)), displays: [] }
    const granted = { slot: 0, attempt: 1, runnerId: 'tab-1' }
    const ports = { api, wait: () => Promise.resolve(), now: () => 0 }
    expect(await saveOutcome(ports as never, reply as never, granted, outcome)).toBe(stored)
    expect(recorded).toEqual([stored])
    expect(sent.at(-1)?.outcome).toMatchObject({
      status: 'error',
      result: { error: expect.stringContaining('too large to be stored') as string },
    })
  },
)
