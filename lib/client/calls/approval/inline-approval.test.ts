import { describe, expect, it } from 'vitest'
import { approvalUIContract, type ApprovalUIStage } from './approval-ui.contract'
import { approvalKey, createInlineApproval, roundsKey } from './inline-approval'
import { call } from '../testing/world-calls'
import type { MessageCall } from '@/lib/shared/calls/message-calls'

function stage() {
  const adapter = createInlineApproval({ monotonic: () => 0 })
  return {
    adapter,
    decide: ({ messageId, call: asked }, decision) =>
      void adapter.answer('run', [approvalKey(messageId, asked)], decision),
    release: ({ messageId, call: asked }, decision) =>
      void adapter.answer('result', [approvalKey(messageId, asked)], decision),
    review: ({ messageId, call: asked }, decision) =>
      void adapter.answer('review', [approvalKey(messageId, asked)], decision),
    goOn: ({ messageId }, decision) => void adapter.answer('rounds', [roundsKey(messageId)], decision),
  } satisfies ApprovalUIStage
}

approvalUIContract('The cards', stage)
const target = (patch: Parameters<typeof call>[1] = {}): MessageCall => ({
  slot: 0,
  call: call(0, patch),
  runnable: true,
  asked: null,
  changed: false,
  promoted: false,
})
const request = (asked: MessageCall) => ({
  conversationId: 'c1',
  messageId: 'm1',
  call: asked,
  repeats: 1,
  rememberable: [],
  problem: null,
})
const never = new AbortController().signal

describe('inline approval', () => {
  it('takes an answer that came before the question, once, and not a stale one', async () => {
    let now = 0
    const inline = createInlineApproval({ monotonic: () => now })
    void inline.answer('run', [approvalKey('m1', target())], { kind: 'run' })
    expect(await inline.showToolExecutionApproval(request(target()), never)).toEqual({ kind: 'run' })
    const other = target({ arguments: { path: '/late' } })
    void inline.answer('run', [approvalKey('m1', other)], { kind: 'run' })
    now = 60_000
    const gone = new AbortController()
    const answer = inline.showToolExecutionApproval(request(other), gone.signal)
    gone.abort()
    expect(await answer).toEqual({ kind: 'later' })
  })

  it('never uses the answer to one call for another, or for the same one after a change', async () => {
    const inline = createInlineApproval({ monotonic: () => 0 })
    void inline.answer('run', [approvalKey('m1', target())], { kind: 'run' })
    const gone = new AbortController()
    const changed = target({ arguments: { path: '/other' } })
    const answer = inline.showToolExecutionApproval(request(changed), gone.signal)
    gone.abort()
    expect(await answer).toEqual({ kind: 'later' })
  })

  it('does not keep the second of two clicks for when the same question is asked again', async () => {
    const inline = createInlineApproval({ monotonic: () => 0 })
    const first = inline.showToolExecutionApproval(request(target()), never)
    for (let click = 0; click < 2; click += 1) void inline.answer('run', [approvalKey('m1', target())], { kind: 'run' })
    expect(await first).toEqual({ kind: 'run' })
    const gone = new AbortController()
    const again = inline.showToolExecutionApproval(request(target()), gone.signal)
    gone.abort()
    expect(await again).toEqual({ kind: 'later' })
  })

  it('replaces a question by the same question', async () => {
    const inline = createInlineApproval({ monotonic: () => 0 })
    const first = inline.showToolExecutionApproval(request(target()), never)
    const second = inline.showToolExecutionApproval(request(target()), never)
    void inline.answer('run', [approvalKey('m1', target())], { kind: 'skip' })
    expect(await first).toEqual({ kind: 'later' })
    expect(await second).toEqual({ kind: 'skip' })
  })

  it('reports why an answer could not be carried out, and nothing if it was', async () => {
    const inline = createInlineApproval({ monotonic: () => 0 })
    const keys = [approvalKey('m1', target())]
    const question = new AbortController()
    const first = inline.showToolExecutionApproval(request(target()), question.signal)
    const failed = inline.answer('run', keys, { kind: 'run' })
    await first
    const second = inline.showToolExecutionApproval({ ...request(target()), problem: 'No server.' }, question.signal)
    expect(await failed).toBe('No server.')
    const done = inline.answer('run', keys, { kind: 'run' })
    await second
    question.abort()
    expect(await done).toBeNull()
  })

  it('answers a call and a result of the same call separately', async () => {
    const inline = createInlineApproval({ monotonic: () => 0 })
    const gone = new AbortController()
    const run = inline.showToolExecutionApproval(request(target()), gone.signal)
    void inline.answer('result', [approvalKey('m1', target())], { kind: 'sent', note: '' })
    gone.abort()
    expect(await run).toEqual({ kind: 'later' })
  })
})
