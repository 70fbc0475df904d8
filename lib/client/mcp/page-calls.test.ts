import { describe, expect, it } from 'vitest'
import { err, ok } from '@/lib/base/result'
import type { ApiFailure } from '@/lib/client/api/api-failure'
import { testCall, testOutcome } from '@/lib/server/store/testing/rows'
import type { DecideInner, FinishInner } from '@/lib/shared/conversation/wire/call-requests'
import type { CallRecord } from '@/lib/shared/conversation/call-record'
import type { CallAnswer } from '@/lib/shared/mcp/call-answer'
import { createPageCalls } from './page-calls'

const failure = (code: ApiFailure['code'], reason: string): ApiFailure => ({
  code,
  status: 409,
  reason,
  values: {},
  message: 'No.',
})

/** A page of an ended call, and a server that stores what it asks for. */
function world({
  answer = { kind: 'answered', result: { content: ['secret'] } },
}: { readonly answer?: CallAnswer } = {}) {
  let record: CallRecord = { ...testCall('a1', 0, { runnerId: 'tab-1' }), outcome: testOutcome('done') }
  const steps: string[] = []
  const state = { refuse: null as ApiFailure | null, storing: 0 }
  const calls = createPageCalls(
    {
      api: {
        decideInner(_id: string, { page: _page, ...asked }: DecideInner) {
          if (state.refuse) return Promise.resolve(err(state.refuse))
          const taken = record.inner?.some(({ n }) => n === asked.n) === true
          if (taken) return Promise.resolve(err(failure('conflict', 'store.inner-number')))
          const inner = {
            ...asked,
            reason: '',
            by: { kind: 'click' },
            decidedAt: 1,
            outcome: null,
            page: true,
          } as const
          record = { ...record, inner: [...(record.inner ?? []), inner] }
          steps.push(`${asked.decision} ${asked.name} #${asked.n}`)
          return Promise.resolve(ok({ granted: true, call: record }))
        },
        finishInner(_id: string, { n, outcome }: FinishInner) {
          state.storing += 1
          if (state.storing === 1) return Promise.resolve(err({ ...failure('unreachable', ''), status: 0 }))
          steps.push(`${outcome.status} #${n} ${JSON.stringify(outcome)}`)
          return Promise.resolve(ok(record))
        },
      },
      send(asked, { of }) {
        steps.push(`sent ${asked.name} as #${of.inner}`)
        return Promise.resolve(answer)
      },
      onRecord: () => {},
      wait: () => Promise.resolve(),
      monotonic: () => 0,
    },
    { conversationId: 'c', host: 'b.example', record: () => record },
  )
  const run = (signal = new AbortController().signal) =>
    calls.run({ name: 'poll', args: { month: 'May' } }, { signal, onProgress() {} })
  return { calls, run, steps, state, taken: (n: number) => (record = { ...record, inner: [{ ...newInner, n }] }) }
}
const newInner = {
  attempt: 1,
  name: 'other',
  arguments: {},
  decision: 'run',
  reason: '',
  by: { kind: 'click' },
  decidedAt: 1,
  outcome: null,
  page: true,
} as const

describe('a call that a page asks for', () => {
  it('is stored, sent and stored again, without its result', async () => {
    const { run, steps } = world()
    expect(await run()).toMatchObject({ kind: 'answered' })
    expect(steps.map((step) => step.split(' {')[0])).toEqual(['run poll #1', 'sent poll as #1', 'completed #1'])
    expect(steps.join()).not.toContain('secret')
  })

  it('gets the next number, also if another tab has taken it', async () => {
    const { run, steps, taken } = world()
    taken(3)
    await run()
    await run()
    expect(steps.filter((step) => step.startsWith('run'))).toEqual(['run poll #4', 'run poll #5'])
  })

  it('is not sent if its decision could not be stored', async () => {
    const { run, steps, state } = world()
    state.refuse = failure('conflict', 'chat.call.not-from-page')
    expect(await run()).toEqual({ kind: 'not-sent', failure: { kind: 'relay', message: 'No.' } })
    expect(steps).toEqual([])
  })

  it('is not sent if its page was closed meanwhile, and its denial is stored', async () => {
    const { calls, run, steps } = world()
    expect(await run(AbortSignal.abort())).toEqual({ kind: 'stopped' })
    await calls.deny({ name: 'poll', args: {} })
    expect(steps.map((step) => step.split(' {')[0])).toEqual(['run poll #1', 'cancelled #1', 'deny poll #2'])
  })

  it.each<[CallAnswer, string, string]>([
    [{ kind: 'lost' }, 'error', 'told.remote-lost'],
    [{ kind: 'timed-out' }, 'error', 'told.remote-late'],
    [{ kind: 'refused', message: 'secret words' }, 'error', ''],
    [{ kind: 'answered', result: { isError: true, content: [{ type: 'text', text: 'secret words' }] } }, 'error', ''],
  ])('ends with a sentence of ours only: %j', async (answer, status, reason) => {
    const { run, steps } = world({ answer })
    expect(await run()).toEqual(answer)
    const last = steps.at(-1) ?? ''
    expect(last.startsWith(status)).toBe(true)
    expect(last).toContain(reason)
    expect(last).not.toContain('secret words')
  })
})
