import { afterEach, describe, expect, it, vi } from 'vitest'
import { defaultToolConfig } from '@/lib/shared/conversation/settings/registered-tool'
import type { AssistantMessage, Message, ToolCallConfig } from '@/lib/shared/conversation/conversation'
import type { CallAmendment, Grant } from '@/lib/shared/conversation/call-record'
import type { CallActions } from '@/lib/client/chats/actions'
import { createClientStore } from '@/lib/client/state/store'
import { callKey } from '@/lib/client/state/state'
import { callRow, conversationId, conversationRow, replyRow, userRow } from '@/lib/client/chats/testing/rows'
import type { CallSegment } from '@/lib/protocols/types/segment'
import type { CallMark, CallMarks } from '@/lib/shared/origin/branch-origin'
import { createApprovalService } from './approval-service'
import { leaveToCards, type ApprovalUIAdapter, type ExecutionDecision, type ResultDecision } from './approval-ui'
import { approvalKey, createInlineApproval, roundsKey } from './inline-approval'
import { messageCalls } from '@/lib/shared/calls/message-calls'
import { createWorld } from '../testing/call-world'
import { call } from '../testing/world-calls'
import { viewOf, watchReplies } from '@/lib/client/state/open-conversations'

vi.mock('@/lib/shared/calls/call-hash', () => ({
  callHash: (...parts: unknown[]) => Promise.resolve(JSON.stringify(parts)),
  argumentsHash: (...parts: unknown[]) => Promise.resolve(JSON.stringify(parts)),
  resultsMessageId: (id: string) => Promise.resolve(`results-of-${id}`),
}))

const tools = {
  list_directory: { permission: 'public', requireExecutionApproval: 'never' },
  read_file: { permission: 'public', requireExecutionApproval: 'on-error' },
  write_file: {
    permission: 'moderate',
    paths: ({ path }: { path?: unknown }) => [String(path)],
    capabilities: { files: 'write', network: 'off' },
  },
  browser_js_eval: { permission: 'sensitive', requireExecutionApproval: 'never' },
} as const

const list = (slot: number, patch: Partial<CallSegment> = {}) =>
  call(slot, { name: 'list_directory', arguments: { path: `/${slot}` }, ...patch })
const write = (slot: number, patch: Partial<CallSegment> = {}) =>
  call(slot, { arguments: { path: `/notes/${slot}.md` }, ...patch })

const grant = (patch: Partial<Grant> = {}): Grant => ({
  id: 'g1',
  scope: { kind: 'folder', tool: 'write_file', folder: '/notes' },
  createdAt: 1,
  uses: 0,
  lastUsedAt: null,
  revokedAt: null,
  ...patch,
})

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})
const settle = () => new Promise((resolve) => setImmediate(resolve))

/** A conversation with one reply. `watched`: the page sees it being written; otherwise it was there before. */
async function stage(
  segments: readonly CallSegment[],
  options: {
    config?: Partial<ToolCallConfig>
    grants?: readonly Grant[]
    watched?: boolean
    before?: readonly Message[]
    adapter?: ApprovalUIAdapter
    now?: number
    marks?: () => Promise<CallMarks>
  } = {},
) {
  const store = createClientStore()
  const config = { ...defaultToolConfig, ...options.config }
  const base = conversationRow()
  const conversation = { ...base, settings: { ...base.settings, tools: config }, headId: 'r1' }
  const before = options.before ?? []
  const parentId = before.at(-1)?.id ?? 'u1'
  const reply = replyRow('r1', parentId, { runId: 'run1' })
  const segmentsOf = new Map([['r1', segments]])
  for (const row of before) segmentsOf.set(row.id, segments)
  const actions = {
    run: vi.fn<CallActions['run']>(),
    deny: vi.fn<CallActions['deny']>(),
    skip: vi.fn<CallActions['skip']>(),
    release: vi.fn<CallActions['release']>(() => Promise.resolve(null)),
    remember: vi.fn<CallActions['remember']>(() => Promise.resolve(null)),
    answerReview: vi.fn<CallActions['answerReview']>(),
    continueRounds: vi.fn<CallActions['continueRounds']>(),
    workOnCopy: vi.fn<CallActions['workOnCopy']>(() => Promise.resolve(null)),
  }
  const cards = createInlineApproval({ monotonic: () => 0 })
  const inline = createInlineApproval({ monotonic: () => 0 })
  const questions: string[] = []
  const adapter: ApprovalUIAdapter = options.adapter ?? {
    showToolExecutionApproval: (request, signal) => {
      questions.push(`run ${request.call.slot} ×${request.repeats}`)
      if (request.problem !== null) questions.push(request.problem)
      signal.addEventListener('abort', () => questions.push(`void ${request.call.slot}`))
      return inline.showToolExecutionApproval(request, signal)
    },
    showToolResultApproval: (request, signal) => {
      questions.push(`result ${request.call.slot}`)
      if (request.problem !== null) questions.push(request.problem)
      signal.addEventListener('abort', () => questions.push(`void result ${request.call.slot}`))
      return inline.showToolResultApproval(request, signal)
    },
    ...leaveToCards,
  }
  const readCalls = (message: AssistantMessage, _: ToolCallConfig, amendments: readonly CallAmendment[]) =>
    messageCalls(
      { type: 'tool_call', segments: segmentsOf.get(message.id) ?? [] },
      { amendments, read: (written) => ({ ...written, repairs: [], coercions: [], problem: null }) },
    )
  const end = createApprovalService({
    getState: store.getState,
    subscribe: store.subscribe,
    actions,
    readCalls,
    toolOf: (name) => {
      const facts = Object.entries(tools).find(([known]) => known === name)?.[1]
      return facts && { spec: { name }, policy: facts }
    },
    marksOf: options.marks ?? (() => Promise.resolve(new Map())),
    cards,
    screenOf: () => adapter,
    isWatched: watchReplies(store),
    now: () => options.now ?? 0,
  })
  ends.push(end)
  const view = (messages: readonly Message[], activeRunId: string | null) =>
    store.dispatch({
      type: 'view-loaded',
      view: {
        conversation,
        messages: [userRow('u1', null), ...before, ...messages],
        calls: [],
        amendments: [],
        grants: options.grants ?? [],
        activeRunId,
      },
    })
  store.dispatch({ type: 'view-opened', conversationId })
  if (options.watched ?? true) {
    view([{ ...reply, outcome: null }], 'run1')
    store.dispatch({ type: 'run-joined', conversationId, runId: 'run1', replyId: 'r1' })
    await settle()
    store.dispatch({
      type: 'run-events',
      runId: 'run1',
      events: [{ seq: 1, type: 'end', outcome: 'finished', failure: null, usage: null }],
    })
  } else {
    view([reply], null)
  }
  await settle()
  const seen = (slot: number) => {
    const { amendments } = viewOf(store.getState())
    const found = readCalls(reply, config, amendments.get('r1') ?? []).find((one) => one.slot === slot)
    if (!found) throw new Error(`no call ${slot}`)
    return approvalKey('r1', found)
  }
  const answer = async (slots: readonly number[], decision: ExecutionDecision) => {
    void inline.answer('run', slots.map(seen), decision)
    await settle()
  }
  const answerResult = async (slot: number, decision: ResultDecision) => {
    void inline.answer('result', [seen(slot)], decision)
    await settle()
  }
  return { store, actions, cards, seen, questions, answer, answerResult, end, reply }
}

const auto = { mode: 'auto' } as const

describe('approval service: calls that run automatically', () => {
  it('asks about everything in mode manual', async () => {
    const { actions, questions } = await stage([list(0), write(1)])
    expect(actions.run).not.toHaveBeenCalled()
    expect(questions).toEqual(['run 0 ×1', 'run 1 ×1'])
  })

  it('runs the calls that a rule or a grant allows, in order, as one chain, and asks about the rest', async () => {
    const other = write(3, { arguments: { path: '/private/a.md' } })
    const calls = [write(0), list(1), call(2, { name: 'browser_js_eval', arguments: { code: '1' } }), other]
    const { actions, questions } = await stage(calls, { config: auto, grants: [grant()] })
    expect(actions.run).toHaveBeenCalledExactlyOnceWith('r1', [0, 1], {
      by: new Map([
        [0, { kind: 'grant', grantId: 'g1' }],
        [1, { kind: 'auto' }],
      ]),
    })
    // The actions are stubs, so the calls given to them still wait: the service then asks about them.
    expect(questions).toEqual(expect.arrayContaining(['run 2 ×1', 'run 3 ×1']))
  })

  it('runs nothing automatically in a reply that was there before', async () => {
    const { actions, questions } = await stage([list(0)], { config: auto, watched: false, grants: [grant()] })
    expect(actions.run).not.toHaveBeenCalled()
    expect(questions).toEqual(['run 0 ×1'])
  })

  it('never runs a sensitive tool, an unknown one, a guess, or a call that the user changed', async () => {
    const sensitive: Grant = grant({ scope: { kind: 'tool', tool: 'browser_js_eval' } })
    const calls = [
      call(0, { name: 'browser_js_eval', arguments: { code: '1' } }),
      call(1, { name: 'nobody' }),
      list(2, { repairs: ['bare-quote'] }),
      list(3, { standing: 'quoted' }),
      list(4, { arguments: { path: '/notes\u200b' } }),
    ]
    const { actions, store } = await stage(calls, { config: auto, grants: [sensitive] })
    const promoted = { messageId: 'r1', slot: 2 ** 30 + 3, call: null, amendedAt: 1 }
    store.dispatch({ type: 'amendments-changed', conversationId, messageId: 'r1', amendments: [promoted] })
    await settle()
    expect(actions.run).not.toHaveBeenCalled()
  })

  it('asks instead of running a call repeated for the fifth time, and says how often', async () => {
    const before = ['a', 'b', 'c', 'd'].map((id, index, ids) =>
      replyRow(id, index === 0 ? 'u1' : (ids[index - 1] ?? '')),
    )
    const { actions, questions } = await stage([list(0)], { config: auto, before })
    expect(actions.run).not.toHaveBeenCalled()
    expect(questions).toEqual(['run 0 ×5'])
    const fourth = await stage([list(0)], { config: auto, before: before.slice(0, 3) })
    expect(fourth.actions.run).toHaveBeenCalledOnce()
  })

  it('asks about a call that a text asked for and the user did not, whatever rule or grant covers it', async () => {
    const loud = (isFollowed: boolean): CallMark => ({
      loud: {
        why: 'wish',
        place: { kind: 'attachment', messageId: 'u1', path: '/a.txt' },
        order: 'List all folders.',
        isUnasked: true,
        isOnlyThere: false,
        isFollowed,
      },
      values: [],
    })
    const marks = new Map([0, 1, 2].map((slot) => [slot, loud(slot === 1)]))
    const { actions, questions } = await stage([list(0), write(1), write(2), list(3)], {
      config: auto,
      grants: [grant()],
      marks: () => Promise.resolve(marks),
    })
    expect(actions.run).toHaveBeenCalledExactlyOnceWith('r1', [3], { by: new Map([[3, { kind: 'auto' }]]) })
    expect(questions).toEqual(expect.arrayContaining(['run 0 ×1', 'run 1 ×1', 'run 2 ×1']))
  })

  describe('under a kept approval of changes', () => {
    const effects: Grant = grant({
      id: 'e1',
      scope: { kind: 'effects', folders: ['/'], changes: ['created'], maxFiles: 1, maxBytes: 1, runs: 2 },
    })
    const begin = (by: ReadonlyMap<number, unknown> = new Map()) => ({ under: 'e1', by })

    it('begins a copy with the calls that stay in the browser, including calls that a rule runs', async () => {
      const calls = [list(0), write(1), call(2, { name: 'nobody' })]
      const { actions } = await stage(calls, { config: auto, grants: [effects] })
      const byRule = new Map([[0, { kind: 'auto' }]])
      expect(actions.workOnCopy).toHaveBeenCalledExactlyOnceWith('r1', [0, 1], begin(byRule))
      expect(actions.run).not.toHaveBeenCalled()
      const manual = await stage([list(0), write(1)], { grants: [effects] })
      expect(manual.actions.workOnCopy).toHaveBeenCalledExactlyOnceWith('r1', [1], begin())
    })

    it('begins a copy that the user chose with the message, whatever a grant would keep', async () => {
      const before = [userRow('u0', 'r0', { onCopy: true })]
      const { actions } = await stage([list(0), write(1)], { before, grants: [effects] })
      expect(actions.workOnCopy).toHaveBeenCalledExactlyOnceWith('r1', [1], { chosen: true, by: new Map() })
      const mark = { loud: { why: 'wish' }, values: [] } as unknown as CallMark
      const loud = await stage([write(1)], { before, marks: () => Promise.resolve(new Map([[0, mark]])) })
      expect(loud.actions.workOnCopy).not.toHaveBeenCalled()
    })

    it.each<[string, Parameters<typeof stage>[0], Parameters<typeof stage>[1]]>([
      ['it is used up', [write(0)], { grants: [{ ...effects, uses: 2 }] }],
      ['it was revoked', [write(0)], { grants: [{ ...effects, revokedAt: 1 }] }],
      ['it is over', [write(0)], { grants: [{ ...effects, expiresAt: 5 }], now: 5 }],
      ['it came after the reply', [write(0)], { grants: [{ ...effects, createdAt: 999_999_999_999_999 }] }],
      [
        'a copy is open',
        [write(0)],
        { grants: [effects, grant({ id: 'c', scope: { kind: 'copy' }, createdAt: 1e15 })] },
      ],
      ['every call is asked about', [write(0)], { grants: [effects], config: { requireConfirmation: true } }],
      ['the call was read by a guess', [write(0, { repairs: ['bare-quote'] })], { grants: [effects] }],
      ['nobody watched the reply', [write(0)], { grants: [effects], watched: false }],
      [
        'it is not known whose idea the call is',
        [write(0)],
        { grants: [effects], marks: () => Promise.reject(new Error()) },
      ],
    ])('begins no copy if %s', async (_, calls, options) => {
      const { actions } = await stage(calls, options)
      expect(actions.workOnCopy).not.toHaveBeenCalled()
    })
  })

  it('asks if the origin of the calls can’t be determined', async () => {
    const { actions, questions } = await stage([list(0)], {
      config: auto,
      marks: () => Promise.reject(new Error('no')),
    })
    expect(actions.run).not.toHaveBeenCalled()
    expect(questions).toEqual(['run 0 ×1'])
  })

  it('runs each call automatically at most once, and then asks', async () => {
    const { actions, store, questions } = await stage([list(0)], { config: auto })
    const refused = { startedAt: 9, attempt: 1, events: [], outcome: null, problem: 'Nothing ran.' }
    store.dispatch({ type: 'call-live', key: callKey('r1', 0), live: refused })
    await settle()
    expect(actions.run).toHaveBeenCalledOnce()
    expect(questions.at(-1)).toBe('run 0 ×1')
  })

  it('runs no waiting call because of a new grant or of settings that were changed later', async () => {
    const { actions, store } = await stage([write(0), list(1)])
    const { conversation } = viewOf(store.getState())
    if (!conversation) throw new Error('no conversation')
    const settings = { ...conversation.settings, tools: { ...conversation.settings.tools, ...auto } }
    store.dispatch({ type: 'settings-changed', conversationId, settings })
    await settle()
    expect(actions.run).not.toHaveBeenCalled()
    store.dispatch({ type: 'grant-changed', conversationId, grant: grant() })
    await settle()
    expect(actions.run).not.toHaveBeenCalled()
  })

  it('ignores a grant given after the reply had begun, in another tab or before a reload', async () => {
    const { actions } = await stage([write(0)], { grants: [grant({ createdAt: 999_999_999_999_999 })] })
    expect(actions.run).not.toHaveBeenCalled()
  })

  it('ignores a withdrawn grant, and recognizes the same call by its hash', async () => {
    const revoked = await stage([write(0)], { grants: [grant({ revokedAt: 5 })] })
    expect(revoked.actions.run).not.toHaveBeenCalled()
    const hash = JSON.stringify(['write_file', { path: '/notes/0.md' }])
    const scope = { kind: 'arguments', tool: 'write_file', argumentsHash: hash, label: '' } as const
    const same = await stage([write(0), write(1)], { grants: [grant({ scope })] })
    expect(same.actions.run.mock.calls.map(([, slots]) => slots)).toEqual([[0]])
  })

  it('ignores an expired grant, and runs nothing while every call waits for a click', async () => {
    const ending = grant({ expiresAt: 50 })
    expect((await stage([write(0)], { grants: [ending], now: 49 })).actions.run).toHaveBeenCalled()
    expect((await stage([write(0)], { grants: [ending], now: 50 })).actions.run).not.toHaveBeenCalled()
    const config = { ...auto, requireConfirmation: true }
    expect((await stage([list(0), write(1)], { grants: [grant()], config })).actions.run).not.toHaveBeenCalled()
  })

  it('waits after as many rounds as the chat allows', async () => {
    const { actions } = await stage([list(0)], {
      config: { ...auto, maxIterations: 1 },
      before: [replyRow('a', 'u1'), userRow('t', 'a', { text: '' })],
    })
    expect(actions.run).not.toHaveBeenCalled()
  })
})

describe('approval service: the round limit', () => {
  const round = (at: number): readonly Message[] => [
    replyRow(`a${at}`, at === 0 ? 'u1' : `t${at - 1}`),
    userRow(`t${at}`, `a${at}`, { text: '' }),
  ]
  const rounds = (count: number) => Array.from({ length: count }, (_, at) => round(at)).flat()

  it.each([
    ['a rule', { config: { ...auto, maxIterations: 2 } }],
    ['a remembered answer', { config: { maxIterations: 2 }, grants: [grant({ createdAt: 0 })] }],
  ])('stops %s at each multiple of the limit, and nowhere else', async (_, options) => {
    const ran = async (count: number) => {
      const segments = 'grants' in options ? [write(0)] : [list(0)]
      // Each reply has the same call: only the last one's counts here.
      const { actions } = await stage(segments, { ...options, before: rounds(count) })
      return actions.run.mock.calls.length > 0
    }
    expect([await ran(0), await ran(1), await ran(2), await ran(3)]).toEqual([true, true, false, true])
  })
})

describe('approval service: what the user is asked', () => {
  it('starts together what was decided together, in the order of the answers', async () => {
    const { actions, answer } = await stage([write(0), write(1), write(2)])
    await answer([2, 0, 1], { kind: 'run', stopAtFailure: true })
    expect(actions.run).toHaveBeenCalledExactlyOnceWith('r1', [2, 0, 1], { stopAtFailure: true })
  })

  it('carries out every kind of decision', async () => {
    const { actions, answer, questions } = await stage([write(0), write(1), write(2), write(3)])
    actions.remember.mockResolvedValueOnce('Nothing was remembered.')
    await answer([0, 1], { kind: 'deny', reason: 'no' })
    await answer([2], { kind: 'skip' })
    await answer([3], { kind: 'run', remember: 'folder', alsoRun: [4] })
    expect(actions.deny).toHaveBeenCalledExactlyOnceWith('r1', [0, 1], 'no')
    expect(actions.skip).toHaveBeenCalledExactlyOnceWith('r1', [2])
    expect(actions.remember).toHaveBeenCalledExactlyOnceWith('r1', 3, 'folder', [4])
    expect(actions.run).not.toHaveBeenCalled()
    // It is asked again, and says why.
    expect(questions.slice(-2)).toEqual(['run 3 ×1', 'Nothing was remembered.'])
  })

  it('asks once, stops at “later”, and asks again after a change', async () => {
    const { actions, store, questions, answer } = await stage([write(0)])
    await answer([0], { kind: 'later' })
    store.dispatch({ type: 'grant-changed', conversationId, grant: grant({ revokedAt: 1 }) })
    await settle()
    expect(questions).toEqual(['run 0 ×1'])
    const changed = { name: 'write_file', arguments: { path: '/elsewhere' } }
    const amendment = { messageId: 'r1', slot: 0, call: changed, amendedAt: 1 }
    store.dispatch({ type: 'amendments-changed', conversationId, messageId: 'r1', amendments: [amendment] })
    await settle()
    expect(questions).toEqual(['run 0 ×1', 'void 0', 'run 0 ×1'])
    expect(actions.run).not.toHaveBeenCalled()
  })

  it('does not run a call that was changed after its approval', async () => {
    let decide: (decision: ExecutionDecision) => void = () => {}
    const adapter: ApprovalUIAdapter = {
      showToolExecutionApproval: () => new Promise((resolve) => (decide = resolve)),
      showToolResultApproval: () => Promise.resolve({ kind: 'later' }),
      ...leaveToCards,
    }
    const { actions, store } = await stage([write(0)], { adapter })
    decide({ kind: 'run' })
    const changed = { name: 'write_file', arguments: { path: '/elsewhere' } }
    const amendment = { messageId: 'r1', slot: 0, call: changed, amendedAt: 1 }
    store.dispatch({ type: 'amendments-changed', conversationId, messageId: 'r1', amendments: [amendment] })
    await settle()
    expect(actions.run).not.toHaveBeenCalled()
  })

  it.each([
    ['another tab decided', { type: 'call-recorded', call: callRow('r1', 0) } as const],
    [
      'a card was clicked',
      {
        type: 'call-live',
        key: callKey('r1', 0),
        live: { startedAt: 1, attempt: 1, events: [], outcome: null, problem: null },
      } as const,
    ],
    [
      'the user wrote something',
      { type: 'send-started', conversationId, message: userRow('u2', 'r1'), headId: null } as const,
    ],
    ['the chat was left', { type: 'view-opened', conversationId: 'other' } as const],
  ])('makes a question void when %s', async (_, event) => {
    const { store, questions } = await stage([write(0)])
    store.dispatch(event)
    await settle()
    expect(questions).toEqual(['run 0 ×1', 'void 0'])
  })

  it('asks again about a call that was taken out of the queue', async () => {
    const { store, questions } = await stage([write(0)])
    const live = { startedAt: 1, attempt: 1, events: [], outcome: null, problem: null, queued: true }
    store.dispatch({ type: 'call-live', key: callKey('r1', 0), live })
    await settle()
    store.dispatch({ type: 'call-live', key: callKey('r1', 0), live: null })
    await settle()
    expect(questions).toEqual(['run 0 ×1', 'void 0', 'run 0 ×1'])
  })

  it('asks about a gated result, also after a reload, and releases what the user allows', async () => {
    const { actions, store, questions, answerResult } = await stage([write(0)], { watched: false })
    const outcome = { status: 'completed', result: 'R', durationMs: 1, console: [], displays: [] } as const
    store.dispatch({ type: 'call-recorded', call: callRow('r1', 0, { outcome, gated: true }) })
    await settle()
    expect(questions).toEqual(['run 0 ×1', 'void 0', 'result 0'])
    actions.release.mockResolvedValueOnce('It was sent already.')
    await answerResult(0, { kind: 'sent', note: '' })
    expect(actions.release).toHaveBeenCalledExactlyOnceWith('r1', 0, { kind: 'sent', note: '' })
    expect(questions.slice(-2)).toEqual(['result 0', 'It was sent already.'])
  })

  it('makes everything void when it ends', async () => {
    const { end, questions } = await stage([write(0)])
    end()
    expect(questions).toEqual(['run 0 ×1', 'void 0'])
  })
})

describe('approval service: the cards', () => {
  const review = { changes: [], total: 0, texts: () => Promise.resolve({ before: null, after: null }) }
  const running = { startedAt: 1, attempt: 1, events: [], outcome: null, problem: null }
  const outcome = { status: 'completed', result: 'R', durationMs: 1, console: [], displays: [] } as const

  it('take answers whatever else the screen shows, also after “later” was chosen there', async () => {
    const { actions, cards, seen, answer } = await stage([write(0), write(1)])
    await answer([0], { kind: 'later' })
    void cards.answer('run', [seen(1), seen(0)], { kind: 'run' })
    await settle()
    expect(actions.run).toHaveBeenCalledExactlyOnceWith('r1', [1, 0], { stopAtFailure: false })
  })

  it('can be pressed again after a press that failed', async () => {
    const { actions, cards, seen } = await stage([write(0)])
    for (let press = 0; press < 2; press += 1) {
      void cards.answer('run', [seen(0)], { kind: 'run' })
      await settle()
    }
    expect(actions.run).toHaveBeenCalledTimes(2)
  })

  it('show why nothing was remembered, and why a result was not sent', async () => {
    const { actions, cards, seen, store } = await stage([write(0)])
    actions.remember.mockResolvedValueOnce('Nothing was remembered.')
    expect(await cards.answer('run', [seen(0)], { kind: 'run', remember: 'tool' })).toBe('Nothing was remembered.')
    store.dispatch({ type: 'call-recorded', call: callRow('r1', 0, { outcome, gated: true }) })
    actions.release.mockResolvedValueOnce('It was sent already.')
    await settle()
    expect(await cards.answer('result', [seen(0)], { kind: 'withheld', note: 'n' })).toBe('It was sent already.')
    expect(await cards.answer('result', [seen(0)], { kind: 'withheld', note: 'n' })).toBeNull()
    expect(actions.release).toHaveBeenCalledTimes(2)
  })

  it('deny a call that cannot run, and one past the limit, which no screen asks about', async () => {
    const problem = { code: 'duplicate', of: 'call_1' } as unknown as CallSegment['problem']
    const { actions, cards, seen, questions, store } = await stage([write(0), write(1, { problem }), write(2)], {
      config: { maxCallsPerReply: 1 },
    })
    store.dispatch({ type: 'call-recorded', call: callRow('r1', 0, { outcome }) })
    await settle()
    expect(questions).toEqual(['run 0 ×1', 'run 2 ×1', 'void 0', 'void 2'])
    void cards.answer('run', [seen(1), seen(2)], { kind: 'deny', reason: 'no' })
    await settle()
    expect(actions.deny).toHaveBeenCalledExactlyOnceWith('r1', [1, 2], 'no')
  })

  it('take answers on changed files and on a result, also after the user sent another message', async () => {
    const { actions, cards, seen, store } = await stage([write(0), write(1)])
    store.dispatch({ type: 'call-live', key: callKey('r1', 0), live: { ...running, review } })
    store.dispatch({ type: 'call-recorded', call: callRow('r1', 1, { outcome, gated: true }) })
    store.dispatch({ type: 'send-started', conversationId, message: userRow('u2', 'r1'), headId: null })
    await settle()
    void cards.answer('review', [seen(0)], { kind: 'discard' })
    void cards.answer('result', [seen(1)], { kind: 'sent', note: '' })
    await settle()
    expect(actions.answerReview).toHaveBeenCalledExactlyOnceWith('r1', 0, 'discard')
    expect(actions.release).toHaveBeenCalledExactlyOnceWith('r1', 1, { kind: 'sent', note: '' })
  })

  it('continue the rounds, with the calls that the user saw', async () => {
    const { actions, cards } = await stage([list(0)], {
      config: { ...auto, maxIterations: 1 },
      before: [replyRow('a', 'u1'), userRow('t', 'a', { text: '' })],
    })
    void cards.answer('rounds', [roundsKey('r1')], { kind: 'continue', slots: [0] })
    await settle()
    expect(actions.continueRounds).toHaveBeenCalledExactlyOnceWith('r1', [0])
  })

  it('decide nothing once the service has ended', async () => {
    const { actions, cards, seen, end } = await stage([write(0)])
    end()
    void cards.answer('run', [seen(0)], { kind: 'run' })
    await settle()
    expect(actions.run).not.toHaveBeenCalled()
  })
})

describe('approval service: with the call controller', () => {
  it('runs each call once, whichever of two tabs is first, and sends once', async () => {
    const world = await createWorld({ desks: true, tools: { mode: 'auto' } })
    await world.settle()
    expect([...world.executions.values()]).toEqual([1, 1, 1])
    expect(world.rows().map((row) => row.by.kind)).toEqual(['auto', 'auto', 'auto'])
    expect(world.posts).toHaveLength(1)
  })

  it('carries the user’s answers through to the sent results, including a gated one', async () => {
    const screen: ApprovalUIAdapter = {
      showToolExecutionApproval: ({ call: { slot } }) =>
        Promise.resolve(slot === 1 ? { kind: 'deny', reason: 'no' } : { kind: 'run' }),
      showToolResultApproval: () => Promise.resolve({ kind: 'withheld', note: 'mine' }),
      ...leaveToCards,
    }
    const never: ApprovalUIAdapter = {
      showToolExecutionApproval: () => Promise.resolve({ kind: 'later' }),
      showToolResultApproval: () => Promise.resolve({ kind: 'later' }),
      ...leaveToCards,
    }
    const world = await createWorld({ desks: true, gated: [2], screen: (tab) => (tab === 'tab1' ? screen : never) })
    await world.settle()
    expect(world.rows().toSorted((a, b) => a.slot - b.slot)).toMatchObject([
      { decision: 'run', by: { kind: 'click' } },
      { decision: 'deny', reason: 'no' },
      { decision: 'run', release: { kind: 'withheld', note: 'mine' } },
    ])
    expect(world.posts).toHaveLength(1)
    expect(world.posted.get(2)).toBeUndefined()
  })
})
