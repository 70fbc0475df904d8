import { describe, expect, it } from 'vitest'
import { createApprovalUIPort } from './approval-ui-port'
import { approvalUIContract } from './approval-ui.contract'
import { approvalKey, createInlineApproval } from './inline-approval'
import { call } from './testing/world-calls'
import type { MessageCall } from '@/lib/calls/message-calls'

function stage() {
  const adapter = createInlineApproval({ now: () => 0 })
  return {
    adapter,
    decide: (
      request: Parameters<typeof adapter.showToolExecutionApproval>[0],
      decision: Parameters<typeof adapter.answer>[1],
    ) => adapter.answer(approvalKey(request.messageId, request.call), decision),
    release: (
      request: Parameters<typeof adapter.showToolResultApproval>[0],
      decision: Parameters<typeof adapter.answerResult>[1],
    ) => adapter.answerResult(approvalKey(request.messageId, request.call), decision),
  }
}

approvalUIContract('The cards', stage)
approvalUIContract('A screen that connects', () => {
  const { adapter, ...person } = stage()
  const port = createApprovalUIPort()
  port.connect(adapter)
  return { ...person, adapter: port }
})
approvalUIContract('A screen that connects after the question', () => {
  const { adapter, decide, release } = stage()
  const port = createApprovalUIPort()
  const late = () => void port.connect(adapter)
  return {
    adapter: port,
    decide: (request, decision) => (late(), decide(request, decision)),
    release: (request, decision) => (late(), release(request, decision)),
  }
})

const target = (patch: Parameters<typeof call>[1] = {}): MessageCall => ({
  slot: 0,
  call: call(0, patch),
  runnable: true,
  asked: null,
  changed: false,
  lifted: false,
})
const request = (asked: MessageCall) => ({
  conversationId: 'c1',
  messageId: 'm1',
  call: asked,
  repeats: 1,
  rememberable: [],
})
const never = new AbortController().signal

describe('inline approval', () => {
  it('takes an answer that came before the question, once, and not a stale one', async () => {
    let now = 0
    const inline = createInlineApproval({ now: () => now })
    inline.answer(approvalKey('m1', target()), { kind: 'run' })
    expect(await inline.showToolExecutionApproval(request(target()), never)).toEqual({ kind: 'run' })
    const other = target({ arguments: { path: '/late' } })
    inline.answer(approvalKey('m1', other), { kind: 'run' })
    now = 60_000
    const gone = new AbortController()
    const answer = inline.showToolExecutionApproval(request(other), gone.signal)
    gone.abort()
    expect(await answer).toEqual({ kind: 'later' })
  })

  it('never takes the answer to one call for another, or for the same one after a change', async () => {
    const inline = createInlineApproval({ now: () => 0 })
    inline.answer(approvalKey('m1', target()), { kind: 'run' })
    const gone = new AbortController()
    const changed = target({ arguments: { path: '/other' } })
    const answer = inline.showToolExecutionApproval(request(changed), gone.signal)
    gone.abort()
    expect(await answer).toEqual({ kind: 'later' })
  })

  it('does not keep the second of two clicks for when the same question is asked again', async () => {
    const inline = createInlineApproval({ now: () => 0 })
    const first = inline.showToolExecutionApproval(request(target()), never)
    for (let click = 0; click < 2; click += 1) inline.answer(approvalKey('m1', target()), { kind: 'run' })
    expect(await first).toEqual({ kind: 'run' })
    const gone = new AbortController()
    const again = inline.showToolExecutionApproval(request(target()), gone.signal)
    gone.abort()
    expect(await again).toEqual({ kind: 'later' })
  })

  it('lets the same question take the place of the first', async () => {
    const inline = createInlineApproval({ now: () => 0 })
    const first = inline.showToolExecutionApproval(request(target()), never)
    const second = inline.showToolExecutionApproval(request(target()), never)
    inline.answer([approvalKey('m1', target())], { kind: 'skip' })
    expect(await first).toEqual({ kind: 'later' })
    expect(await second).toEqual({ kind: 'skip' })
  })

  it('asks whichever screen connected last, and forgets one that left', async () => {
    const port = createApprovalUIPort()
    const [old, young] = [stage(), stage()]
    port.connect(old.adapter)
    const leave = port.connect(young.adapter)
    leave()
    const answer = port.showToolExecutionApproval(request(target()), never)
    old.adapter.answer(approvalKey('m1', target()), { kind: 'run' })
    expect(await answer).toEqual({ kind: 'run' })
  })
})
