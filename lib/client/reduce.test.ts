import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ConversationView } from '@/lib/conversation/api-types'
import { chatResponse } from '@/lib/conversation/testing/chat-response'
import type { ClientEvent } from './events'
import { initialState } from './initial-state'
import { reduceClient } from './reduce'
import type { ClientState } from './state'
import { callRow, conversationId, conversationRow, replyRow, runLog, userRow } from './testing/rows'
import { viewOf } from './open-conversations'

const apply = (state: ClientState, ...events: readonly ClientEvent[]) => events.reduce(reduceClient, state)

const loaded = (patch: Partial<ConversationView> = {}): ClientEvent => ({
  type: 'view-loaded',
  view: {
    conversation: conversationRow({ headId: 'a1' }),
    messages: [userRow('u1', null), replyRow('a1', 'u1')],
    calls: [],
    amendments: [],
    grants: [],
    activeRunId: null,
    ...patch,
  },
})
const opened = apply(initialState, { type: 'view-opened', conversationId }, loaded())
const sent: ClientEvent = { type: 'send-started', conversationId, message: userRow('u2', 'a1'), headId: 'a1' }
const joined: ClientEvent = { type: 'run-joined', conversationId, runId: 'run-a2', replyId: 'a2' }
const running = apply(
  opened,
  sent,
  {
    type: 'send-accepted',
    conversationId,
    response: chatResponse({ runId: 'run-a2', message: userRow('u2', 'a1'), replyId: 'a2' }),
  },
  joined,
)
const ids = (state: ClientState) => viewOf(state).path.map((row) => row.id)
const runEvents = (events: ReturnType<typeof runLog>): ClientEvent => ({ type: 'run-events', runId: 'run-a2', events })

describe('sending', () => {
  it('shows the message at once and takes it back when it could not be sent', () => {
    const sending = apply(opened, sent)
    expect(ids(sending)).toEqual(['u1', 'a1', 'u2'])
    expect(sending.view.sending).toBe(true)
    const problem = { message: 'No.', canRetry: true }
    const failed = apply(sending, { type: 'send-failed', conversationId, messageId: 'u2', problem })
    expect(ids(failed)).toEqual(['u1', 'a1'])
    expect(failed.view).toMatchObject({ sending: false, problem: { message: 'No.' } })
    expect(failed.view.tree.has('u2')).toBe(false)
  })

  it('gives way to results that came in first, and a late failure takes nothing of those away', () => {
    const results = { ...userRow('r1', 'a1', { text: '' }) }
    const response = chatResponse({ runId: 'run-a2', message: results, replyId: 'a2' })
    const state = apply(opened, sent, { type: 'send-accepted', conversationId, response }, joined)
    expect(ids(state)).toEqual(['u1', 'a1', 'r1'])
    expect(viewOf(state).tree.has('u2')).toBe(false)
    expect(apply(state, { type: 'send-failed', conversationId, messageId: 'u2', problem: null })).toBe(state)
  })

  it('refuses a second send while one is on its way or a reply is written', () => {
    const sending = apply(opened, sent)
    const second: ClientEvent = { type: 'send-started', conversationId, message: userRow('u3', 'a1'), headId: 'a1' }
    expect(apply(sending, second)).toBe(sending)
    expect(apply(running, second)).toBe(running)
  })

  it('records the calls that the message skipped', () => {
    const calls = [callRow('a1', 0, { decision: 'skip' })]
    const state = apply(opened, sent, {
      type: 'send-accepted',
      conversationId,
      response: chatResponse({ runId: 'run-a2', message: userRow('u2', 'a1'), replyId: 'a2', calls }),
    })
    expect(viewOf(state).calls.get('a1:0')?.decision).toBe('skip')
  })

  it('does not let a late answer to a reload drop the message that is on its way', () => {
    const sending = apply(opened, sent)
    expect(apply(sending, loaded())).toBe(sending)
  })
})

describe('a run', () => {
  it('gives the stored message from any batches, any overlap, and any double delivery', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'binary', maxLength: 8 }), { maxLength: 12 }),
        fc.array(fc.nat({ max: 20 }), { maxLength: 10 }),
        (pieces, cuts) => {
          const log = runLog(replyRow('a2', 'u2'), pieces)
          // Every cut joins the log again somewhere before, as a reconnect or a reload does.
          let state = running
          let at = 0
          for (const cut of [...cuts, log.length]) {
            const from = Math.max(0, at - (cut % 3))
            const to = Math.min(log.length, Math.max(at, from + cut))
            state = apply(state, runEvents(log.slice(from, to)))
            at = Math.max(at, to)
          }
          const reply = viewOf(state).path.at(-1)
          expect(reply).toMatchObject({ id: 'a2', text: pieces.join(''), outcome: 'finished' })
          expect(viewOf(state).run).toBeNull()
          expect(viewOf(state).tree.get('a2')).toBe(reply)
        },
      ),
    )
  })

  it('changes nothing when all of its events were seen', () => {
    const log = runLog(replyRow('a2', 'u2'), ['a', 'b'])
    const state = apply(running, runEvents(log.slice(0, 3)))
    expect(apply(state, runEvents(log.slice(0, 3)))).toBe(state)
  })

  it('keeps the identity of every row that did not change', () => {
    const state = apply(running, runEvents(runLog(replyRow('a2', 'u2'), ['a'])))
    expect(viewOf(state).path[0]).toBe(running.view.path[0])
    expect(viewOf(state).path[1]).toBe(running.view.path[1])
  })

  it('is ignored when it is not the one that is followed', () => {
    expect(apply(running, { type: 'run-events', runId: 'other', events: runLog(replyRow('x', 'u2'), ['a']) })).toBe(
      running,
    )
  })

  it('is joined after a reload: the partial row is replaced by the log from its start', () => {
    const reloaded = apply(
      initialState,
      { type: 'view-opened', conversationId },
      loaded({
        conversation: conversationRow({ headId: 'a2' }),
        messages: [userRow('u1', null), replyRow('a2', 'u1', { text: 'par', outcome: null })],
        activeRunId: 'run-a2',
      }),
      joined,
      runEvents(runLog(replyRow('a2', 'u1'), ['par', 'tial'])),
    )
    expect(reloaded.view.path.at(-1)).toMatchObject({ text: 'partial', outcome: 'finished' })
  })

  it('is kept over a reload of the view: the log is ahead of the stored row', () => {
    const state = apply(running, runEvents(runLog(replyRow('a2', 'u2'), ['long', ' text']).slice(0, 3)))
    const again = apply(
      state,
      loaded({
        conversation: conversationRow({ headId: 'a2' }),
        messages: [
          userRow('u1', null),
          replyRow('a1', 'u1'),
          userRow('u2', 'a1'),
          replyRow('a2', 'u2', { text: 'lo', outcome: null }),
        ],
        activeRunId: 'run-a2',
      }),
    )
    expect(again.view.run).toMatchObject({ runId: 'run-a2', seq: 3 })
    expect(again.view.path.at(-1)).toMatchObject({ text: 'long text' })
  })

  it('marks its conversation as writing in the list, and not any more at its end', () => {
    const row = { id: conversationId, title: 'A chat', updatedAt: 1, running: false, waitingCalls: 0 }
    const listed = apply(opened, { type: 'conversations-loaded', query: '', conversations: [row] }, joined)
    expect(listed.conversations?.[0]?.running).toBe(true)
    const ended = apply(listed, runEvents(runLog(replyRow('a2', 'a1'), [])))
    expect(ended.conversations?.[0]?.running).toBe(false)
  })
})

describe('a loaded view', () => {
  it('that changed nothing keeps every row, the path and the calls as they are', () => {
    const first = apply(opened, loaded({ calls: [callRow('a1', 0)] }))
    const again = apply(first, loaded({ calls: [callRow('a1', 0)] }))
    expect(again.view.tree).toBe(first.view.tree)
    expect(again.view.path).toBe(first.view.path)
    expect(again.view.calls).toBe(first.view.calls)
    expect(again.view.conversation?.settings).toBe(first.view.conversation?.settings)
  })

  it('of another conversation is ignored', () => {
    const other = loaded({ conversation: conversationRow({ id: 'c2' }) })
    expect(apply(opened, other)).toBe(opened)
  })

  it('survives a tree whose parents are missing or turn in a circle', () => {
    const state = apply(
      initialState,
      { type: 'view-opened', conversationId },
      loaded({
        conversation: conversationRow({ headId: 'b' }),
        messages: [userRow('a', 'b'), replyRow('b', 'a'), replyRow('c', 'nowhere')],
      }),
    )
    expect(ids(state)).toEqual(['a', 'b'])
  })
})

describe('branches', () => {
  const tree = apply(
    opened,
    loaded({
      messages: [
        userRow('u1', null),
        replyRow('a1', 'u1'),
        replyRow('a1b', 'u1'),
        userRow('u2', 'a1b'),
        replyRow('a2', 'u2'),
      ],
    }),
  )

  it('show their newest leaf', () => {
    expect(ids(apply(tree, { type: 'branch-switched', conversationId, headId: 'a1b' }))).toEqual([
      'u1',
      'a1b',
      'u2',
      'a2',
    ])
  })

  it('may end at an earlier message, or before the first one; what came after it stays known', () => {
    const back = apply(tree, { type: 'head-moved', conversationId, headId: 'a1b' })
    expect(ids(back)).toEqual(['u1', 'a1b'])
    expect(back.view.conversation?.headId).toBe('a1b')
    const before = apply(back, { type: 'head-moved', conversationId, headId: null })
    expect([ids(before), before.view.tree.size]).toEqual([[], 5])
    expect(apply(before, { type: 'head-moved', conversationId: 'another', headId: 'a1b' })).toBe(before)
  })
})

describe('calls', () => {
  const live = { startedAt: 1, attempt: 1, events: [], outcome: null, problem: null }
  const outcome = { status: 'completed' as const, result: 1, durationMs: 2, console: [], displays: [] }

  it('collect their events while they run here, and let go of them when the outcome is stored', () => {
    const event = { type: 'console' as const, level: 'log' as const, text: 'x', atMs: 1 }
    const state = apply(opened, { type: 'call-live', key: 'a1:0', live }, { type: 'call-event', key: 'a1:0', event })
    expect(viewOf(state).live.get('a1:0')?.events).toEqual([event])
    const done = apply(state, { type: 'call-recorded', call: callRow('a1', 0, { outcome, finishedAt: 5 }) })
    expect(done.view.live.size).toBe(0)
    expect(done.view.calls.get('a1:0')?.outcome).toEqual(outcome)
  })

  it('are not thrown back by an answer that was overtaken', () => {
    const done = apply(opened, { type: 'call-recorded', call: callRow('a1', 0, { outcome }) })
    expect(apply(done, { type: 'call-recorded', call: callRow('a1', 0) })).toBe(done)
    const second = apply(done, { type: 'call-recorded', call: callRow('a1', 0, { attempt: 2 }) })
    expect(second.view.calls.get('a1:0')?.attempt).toBe(2)
  })
})
