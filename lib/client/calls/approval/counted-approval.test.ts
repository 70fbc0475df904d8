import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Decision } from '@/lib/client/browser/attention'
import type { ExecutionApprovalRequest } from './approval-ui'
import { approvalKey, createInlineApproval, countDecisions } from './inline-approval'
import { call } from '../testing/world-calls'

let clock = 0
let inView = 0
let counted: Decision[] = []
beforeEach(() => {
  clock = 10_000
  inView = 0
  counted = []
})
/** A press is counted in a timer, which it starts. */
const timers = async () => {
  for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setTimeout(resolve))
}

function screen() {
  const inline = createInlineApproval({ monotonic: () => clock })
  const ui = countDecisions({
    monotonic: () => clock,
    now: () => 5,
    inViewSince: () => inView,
    record: (decision) => void counted.push(decision),
  })(inline)
  const request = (slot: number, problem: string | null = null): ExecutionApprovalRequest => ({
    conversationId: 'c',
    messageId: 'm',
    call: { slot, call: call(slot), runnable: true, asked: null, changed: false, promoted: false },
    repeats: 1,
    rememberable: [],
    problem,
  })
  const key = (slot: number) => approvalKey('m', { slot, call: call(slot) })
  return {
    ask: (slot: number, problem: string | null = null, signal = new AbortController().signal) =>
      ui.showToolExecutionApproval(request(slot, problem), signal),
    answer: (slots: readonly number[], kind: 'run' | 'skip' = 'run') =>
      void inline.answer('run', slots.map(key), { kind }),
  }
}

describe('a decision on a card', () => {
  it('is counted with its reading time', async () => {
    const { ask, answer } = screen()
    const decided = ask(0)
    clock += 1_200
    answer([0])
    expect(await decided).toEqual({ kind: 'run' })
    await timers()
    expect(counted).toEqual([{ at: 5, ms: 1_200, isApproval: true, cards: 1 }])
  })

  it('counts once for all cards that one press decides', async () => {
    const { ask, answer } = screen()
    void ask(0)
    void ask(1)
    clock += 700
    answer([0, 1])
    await timers()
    expect(counted).toEqual([{ at: 5, ms: 700, isApproval: true, cards: 2 }])
  })

  it('has a reading time from the first time it is asked, while the page is in view', async () => {
    const { ask, answer } = screen()
    const before = new AbortController()
    void ask(0, null, before.signal)
    clock += 4_000
    before.abort()
    void ask(0)
    clock += 500
    answer([0], 'skip')
    await timers()
    void ask(1)
    clock += 60_000
    inView = clock
    clock += 900
    answer([1])
    await timers()
    expect(counted).toEqual([
      { at: 5, ms: 4_500, isApproval: false, cards: 1 },
      { at: 5, ms: 900, isApproval: true, cards: 1 },
    ])
  })

  it('has no reading time if it came before its question', async () => {
    const { ask, answer } = screen()
    answer([0])
    void ask(0)
    await timers()
    expect(counted).toEqual([{ at: 5, ms: null, isApproval: true, cards: 1 }])
  })

  it('counts once although it is asked again, and not at all if nothing is decided', async () => {
    const { ask, answer } = screen()
    void ask(0, 'It could not be stored.')
    clock += 400
    answer([0])
    const gone = new AbortController()
    void ask(1, null, gone.signal)
    gone.abort()
    await timers()
    expect(counted).toEqual([])
  })
})

it('sends nothing', async () => {
  const requests = vi.fn<() => Promise<never>>(() => Promise.reject(new Error('nothing is sent')))
  vi.stubGlobal('fetch', requests)
  vi.stubGlobal('navigator', { sendBeacon: requests })
  const { ask, answer } = screen()
  void ask(0)
  clock += 300
  answer([0])
  await timers()
  expect(counted).toHaveLength(1)
  expect(requests).not.toHaveBeenCalled()
  vi.unstubAllGlobals()
})
