import fc from 'fast-check'
import { anyText } from '@/lib/base/testing/any-text'
import { isHere } from '@/lib/shared/conversation/message-tree'
import { describe, expect, it } from 'vitest'
import type { ConversationView } from '@/lib/shared/conversation/wire/api-types'
import { chatResponse } from '@/lib/shared/conversation/testing/chat-response'
import { type ClientEvent, type ClientState, initialState } from './state'
import { reduceClient } from './store'
import { callRow, conversationId, conversationRow, replyRow, runLog, userRow } from '../chats/testing/rows'
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
  it('shows the message at once and removes it if it could not be sent', () => {
    const sending = apply(opened, sent)
    expect(ids(sending)).toEqual(['u1', 'a1', 'u2'])
    expect(viewOf(sending).sending).toBe(true)
    const problem = { message: 'No.', canRetry: true }
    const failed = apply(sending, { type: 'send-failed', conversationId, messageId: 'u2', problem })
    expect(ids(failed)).toEqual(['u1', 'a1'])
    expect(viewOf(failed)).toMatchObject({ sending: false, problem: { message: 'No.' } })
    expect(viewOf(failed).tree.has('u2')).toBe(false)
  })

  it('gives way to results that arrive first, which a late failure does not remove', () => {
    const results = { ...userRow('r1', 'a1', { text: '' }) }
    const response = chatResponse({ runId: 'run-a2', message: results, replyId: 'a2' })
    const state = apply(opened, sent, { type: 'send-accepted', conversationId, response }, joined)
    expect(ids(state)).toEqual(['u1', 'a1', 'r1'])
    expect(viewOf(state).tree.has('u2')).toBe(false)
    expect(apply(state, { type: 'send-failed', conversationId, messageId: 'u2', problem: null })).toBe(state)
  })

  it('refuses a second send while one is pending or a reply is written', () => {
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

  it('does not let a late reload response drop the message that is being sent', () => {
    const sending = apply(opened, sent)
    expect(apply(sending, loaded())).toBe(sending)
  })
})

describe('a run', () => {
  it('yields the stored message from any batches, any overlap, and any double delivery', () => {
    fc.assert(
      fc.property(
        fc.array(anyText({ maxLength: 8 }), { maxLength: 12 }),
        fc.array(fc.nat({ max: 20 }), { maxLength: 10 }),
        (pieces, cuts) => {
          const log = runLog(replyRow('a2', 'u2'), pieces)
          // Every cut rejoins the log at an earlier point, as a reconnect or a reload does.
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

  it('shows its place in the queue until its first token, or until its connection is lost', () => {
    const positionAfter = (...events: ClientEvent[]) => {
      const queued: ClientEvent = { type: 'run-queued', runId: 'run-a2', place: 3 }
      return viewOf([queued, ...events].reduce((state, event) => apply(state, event), running)).run?.place
    }
    expect(positionAfter()).toBe(3)
    expect(positionAfter({ type: 'run-queued', runId: 'run-a2', place: null })).toBeNull()
    expect(positionAfter({ type: 'run-queued', runId: 'another', place: 9 })).toBe(3)
    expect(positionAfter(runEvents(runLog(replyRow('a2', 'u2'), ['a']).slice(0, 2)))).toBeNull()
    expect(positionAfter({ type: 'run-connection', runId: 'run-a2', connection: 'reconnecting' })).toBeNull()
  })

  it('keeps the identity of every row that did not change', () => {
    const state = apply(running, runEvents(runLog(replyRow('a2', 'u2'), ['a'])))
    expect(viewOf(state).path[0]).toBe(viewOf(running).path[0])
    expect(viewOf(state).path[1]).toBe(viewOf(running).path[1])
  })

  it('is ignored if it is not the followed one', () => {
    expect(apply(running, { type: 'run-events', runId: 'other', events: runLog(replyRow('x', 'u2'), ['a']) })).toBe(
      running,
    )
  })

  it('is joined after a reload: the log from its start replaces the partial row', () => {
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
    expect(viewOf(reloaded).path.at(-1)).toMatchObject({ text: 'partial', outcome: 'finished' })
  })

  it('is kept across a reload of the view: the log is ahead of the stored row', () => {
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
    expect(viewOf(again).run).toMatchObject({ runId: 'run-a2', seq: 3 })
    expect(viewOf(again).path.at(-1)).toMatchObject({ text: 'long text' })
  })

  it('marks its conversation as writing in the list, until it ends', () => {
    const row = { id: conversationId, title: 'A chat', updatedAt: 1, running: false, waitingCalls: 0 }
    const listed = apply(opened, { type: 'conversations-loaded', query: '', conversations: [row], next: null }, joined)
    expect(listed.conversations?.[0]?.running).toBe(true)
    const ended = apply(listed, runEvents(runLog(replyRow('a2', 'a1'), [])))
    expect(ended.conversations?.[0]?.running).toBe(false)
  })
})

describe('a loaded view', () => {
  it('that changed nothing keeps every row, the path and the calls as they are', () => {
    const first = apply(opened, loaded({ calls: [callRow('a1', 0)] }))
    const again = apply(first, loaded({ calls: [callRow('a1', 0)] }))
    expect(viewOf(again).tree).toBe(viewOf(first).tree)
    expect(viewOf(again).path).toBe(viewOf(first).path)
    expect(viewOf(again).calls).toBe(viewOf(first).calls)
    expect(viewOf(again).conversation?.settings).toBe(viewOf(first).conversation?.settings)
  })

  it('of another conversation is ignored', () => {
    const other = loaded({ conversation: conversationRow({ id: 'c2' }) })
    expect(apply(opened, other)).toBe(opened)
  })

  it('survives a tree whose parents are missing or form a cycle', () => {
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

  it('may end at an earlier message, or before the first one; later messages stay known', () => {
    const back = apply(tree, { type: 'head-moved', conversationId, headId: 'a1b' })
    expect(ids(back)).toEqual(['u1', 'a1b'])
    expect(viewOf(back).conversation?.headId).toBe('a1b')
    const before = apply(back, { type: 'head-moved', conversationId, headId: null })
    expect([ids(before), viewOf(before).tree.size]).toEqual([[], 5])
    expect(apply(before, { type: 'head-moved', conversationId: 'another', headId: 'a1b' })).toBe(before)
  })
})

describe('calls', () => {
  const live = { startedAt: 1, attempt: 1, events: [], outcome: null, problem: null }
  const outcome = { status: 'completed' as const, result: 1, durationMs: 2, console: [], displays: [] }

  it('are live while they run here, until the outcome is stored', () => {
    const event = { type: 'console' as const, level: 'log' as const, text: 'x', atMs: 1 }
    const state = apply(opened, { type: 'call-live', key: 'a1:0', live: { ...live, events: [event] } })
    expect(viewOf(state).live.get('a1:0')?.events).toEqual([event])
    const done = apply(state, { type: 'call-recorded', call: callRow('a1', 0, { outcome, finishedAt: 5 }) })
    expect(viewOf(done).live.size).toBe(0)
    expect(viewOf(done).calls.get('a1:0')?.outcome).toEqual(outcome)
  })

  it('are not reverted by an outdated response', () => {
    const done = apply(opened, { type: 'call-recorded', call: callRow('a1', 0, { outcome }) })
    expect(apply(done, { type: 'call-recorded', call: callRow('a1', 0) })).toBe(done)
    const second = apply(done, { type: 'call-recorded', call: callRow('a1', 0, { attempt: 2 }) })
    expect(viewOf(second).calls.get('a1:0')?.attempt).toBe(2)
  })
})

describe('a conversation that is left', () => {
  const live = { startedAt: 1, attempt: 1, events: [], outcome: null, problem: null }
  const outcome = { status: 'completed' as const, result: 1, durationMs: 2, console: [], displays: [] }
  const elsewhere: ClientEvent = { type: 'view-opened', conversationId: 'c2' }
  const back: ClientEvent = { type: 'view-opened', conversationId }
  const runs: ClientEvent = { type: 'call-live', key: 'a1:0', live }
  const held: ClientEvent = { type: 'conversation-held', conversationId }
  const leave: ClientEvent = { type: 'conversation-released', conversationId }
  const kept = (state: ClientState) => [...state.open.keys()]

  it('is forgotten when none of its calls runs or waits here', () => {
    expect(kept(apply(opened, elsewhere))).toEqual(['c2'])
    expect(kept(apply(opened, held, leave, elsewhere))).toEqual(['c2'])
  })

  it('keeps its calls’ output and results while it is away, and shows them when it is shown again', () => {
    const event = { type: 'console' as const, level: 'log' as const, text: 'x', atMs: 1 }
    const away = apply(opened, runs, elsewhere, { ...runs, live: { ...live, events: [event] } })
    expect(away.shownId).toBe('c2')
    expect(viewOf(away).live.size).toBe(0)
    const shown = apply(away, back)
    expect(viewOf(shown)).toMatchObject({ phase: 'loading', run: null, sending: false, path: [] })
    expect(viewOf(shown).live.get('a1:0')?.events).toEqual([event])
    // A response that is older than what came while it was away changes nothing.
    const done = apply(away, { type: 'call-recorded', call: callRow('a1', 0, { outcome }) }, held)
    expect(viewOf(apply(done, back)).live.size).toBe(0)
    const reloaded = apply(
      apply(away, held, { type: 'call-recorded', call: callRow('a1', 0, { outcome }) }),
      back,
      loaded(),
    )
    expect(viewOf(reloaded).phase).toBe('ready')
  })

  it('is forgotten when its last work ends unseen', () => {
    const away = apply(opened, held, held, elsewhere)
    expect(kept(apply(away, leave))).toContain(conversationId)
    expect(kept(apply(away, leave, leave))).toEqual(['c2'])
    const live0 = apply(opened, runs, elsewhere)
    expect(kept(apply(live0, { ...runs, live: null }))).toEqual(['c2'])
    expect(kept(apply(live0, { type: 'call-recorded', call: callRow('a1', 0, { outcome }) }))).toEqual(['c2'])
  })

  it('is forgotten when it is deleted, whatever runs in it', () => {
    const removed: ClientEvent = { type: 'conversation-removed', conversationId }
    expect(kept(apply(opened, runs, held, elsewhere, removed))).toEqual(['c2'])
    expect(kept(apply(opened, runs, held, removed, elsewhere))).toEqual(['c2'])
  })

  it('takes its own events, and no others', () => {
    const grant = {
      id: 'g',
      scope: { kind: 'tool' as const, tool: 't' },
      createdAt: 1,
      uses: 0,
      lastUsedAt: null,
      revokedAt: null,
    }
    const away = apply(opened, held, elsewhere)
    const told = apply(
      away,
      { type: 'grant-changed', conversationId, grant },
      { type: 'amendments-changed', conversationId, messageId: 'a1', amendments: [] },
      { type: 'problem-raised', conversationId, problem: { message: 'x', canRetry: false } },
    )
    expect(viewOf(told)).toBe(viewOf(away))
    expect(told.open.get(conversationId)?.grants).toEqual([grant])
    expect(apply(away, { type: 'call-live', key: 'unknown:0', live })).toBe(away)
    expect(viewOf(apply(told, back, loaded())).problem).toBeNull()
  })
})

describe('a requested message', () => {
  const messages = viewOf(opened).path.flatMap((row) => (row.id === 'a1' && isHere(row) ? [row] : []))
  const rows = { type: 'messages-loaded', conversationId, messages, amendments: [], grants: [] } as const

  it('changes nothing if it is unchanged, or if there is no such message', () => {
    const known = apply(opened, { type: 'call-recorded', call: callRow('a1', 0) })
    expect(apply(known, { ...rows, calls: [callRow('a1', 0)] })).toBe(known)
    expect(apply(known, { ...rows, messages: [replyRow('unknown', null)], calls: [callRow('a1', 1)] })).toBe(known)
    expect(viewOf(apply(known, { ...rows, calls: [callRow('a1', 1)] })).calls.size).toBe(2)
  })
})

describe('a list in pages', () => {
  const row = (id: string, updatedAt: number) => ({ id, title: id, updatedAt, running: false, waitingCalls: 0 })
  const page = (rows: readonly [string, number][], next: string | null, more?: true): ClientEvent => ({
    type: 'conversations-loaded',
    query: '',
    conversations: rows.map(([id, at]) => row(id, at)),
    next,
    ...(more && { more }),
  })
  const idsIn = (state: ClientState) => state.conversations?.map(({ id }) => id).join(' ')
  const two = apply(
    opened,
    page(
      [
        ['a', 9],
        ['b', 8],
      ],
      '8.b',
    ),
    page(
      [
        ['c', 7],
        [conversationId, 6],
      ],
      `6.${conversationId}`,
      true,
    ),
  )

  it('grows at its end, and keeps that when the first page comes again', () => {
    expect(idsIn(two)).toBe(`a b c ${conversationId}`)
    const again = apply(
      two,
      page(
        [
          ['n', 10],
          ['b', 8],
        ],
        '8.b',
      ),
    )
    // Rows that belong in the page and are not in it are gone.
    expect(idsIn(again)).toBe(`n b c ${conversationId}`)
    expect(again.listed.next).toBe(`6.${conversationId}`)
    expect(
      apply(
        two,
        page(
          [
            ['a', 9],
            ['b', 8],
          ],
          '8.b',
        ),
      ),
    ).toBe(two)
  })

  it('is replaced if the page does not connect, but keeps the entry of the shown chat', () => {
    const jumped = apply(
      two,
      page(
        [
          ['x', 20],
          ['y', 19],
        ],
        '19.y',
      ),
    )
    expect(idsIn(jumped)).toBe(`x y ${conversationId}`)
    expect(jumped.listed.next).toBe('19.y')
    expect(idsIn(apply(two, page([['x', 20]], null)))).toBe('x')
  })

  it('unpins a chat deep in the list, and loses no archived chat', () => {
    const pinned: ClientEvent = {
      type: 'conversations-loaded',
      query: '',
      conversations: [{ ...row('c', 7), pinned: true }, row('a', 9), row('b', 8)],
      next: '8.b',
    }
    const onTop = apply(two, pinned)
    expect(onTop.conversations?.filter((one) => one.pinned).map(({ id }) => id)).toEqual(['c'])
    const later = apply(
      onTop,
      page(
        [
          ['a', 9],
          ['b', 8],
        ],
        '8.b',
      ),
    )
    expect(idsIn(later)).toBe(`a b c ${conversationId}`)
    expect(later.conversations?.some((one) => one.pinned)).toBe(false)
    expect(idsIn(apply(later, { type: 'rows-left', ids: ['c'] }))).toBe(`a b ${conversationId}`)
  })

  it('shows nothing of another search', () => {
    const searched = apply(two, { type: 'query-changed', query: 'q' }, {
      ...page([['q', 3]], null),
      query: 'q',
    } as ClientEvent)
    expect(idsIn(searched)).toBe('q')
    expect(idsIn(apply(searched, page([['z', 1]], null, true)))).toBe('q')
  })

  it('gets the entry of a chat that is opened from elsewhere', () => {
    const shown = apply(opened, page([['a', 9]], '9.a'), loaded({ summary: row(conversationId, 3) }))
    expect(idsIn(shown)).toBe(`a ${conversationId}`)
    expect(idsIn(apply(shown, page([['b', 10]], '10.b')))).toBe(`b ${conversationId}`)
  })
})

describe('the list entry of a chat', () => {
  const row = (id: string, updatedAt: number) => ({ id, title: id, updatedAt, running: false, waitingCalls: 0 })
  const listed = apply(opened, {
    type: 'conversations-loaded',
    query: '',
    conversations: [row('b', 9), row(conversationId, 1)],
    next: null,
  })
  const answer = (updatedAt: number, id = conversationId): ClientEvent => ({
    type: 'send-accepted',
    conversationId: id,
    response: chatResponse({ runId: 'r', replyId: 'a2', summary: { ...row(id, updatedAt), running: true } }),
  })
  const listedIds = (state: ClientState) => state.conversations?.map(({ id }) => id)

  it('comes with the response, in its place; one that a search leaves out stays out', () => {
    expect(listedIds(apply(listed, answer(10)))).toEqual([conversationId, 'b'])
    expect(listedIds(apply(listed, answer(10, 'new')))).toEqual(['new', 'b', conversationId])
    const searched = apply(listed, { type: 'query-changed', query: 'b' })
    expect(listedIds(apply(searched, answer(10, 'new')))).toEqual(['b', conversationId])
  })

  it('comes again with the end of its reply', () => {
    const written = apply(listed, answer(10), { type: 'run-joined', conversationId, runId: 'r', replyId: 'a2' })
    expect(written.conversations?.[0]).toMatchObject({ running: true })
    const summary = { ...row(conversationId, 11), waitingCalls: 2 }
    const end = { seq: 1, type: 'end', outcome: 'finished', failure: null, usage: null, summary } as const
    const ended = apply(written, { type: 'run-events', runId: 'r', events: [end] })
    expect(ended.conversations?.[0]).toEqual(summary)
  })
})
