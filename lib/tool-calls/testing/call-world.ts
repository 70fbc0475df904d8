import { defaultToolConfig } from '@/lib/chat/tool-config'
import { err, ok, type Result } from '@/lib/base/result'
import type { DecideCallResponse } from '@/lib/chat/api-types'
import type { AssistantMessage, CallOutcome, CallRecord } from '@/lib/chat/conversation'
import type { CallActions } from '@/lib/client/actions'
import type { ClientEvent } from '@/lib/client/events'
import { initialState } from '@/lib/client/initial-state'
import { callKey, type ClientState } from '@/lib/client/state'
import type { CallSegment, ParsedReply } from '@/lib/strategies/segment'
import type { ToolRuntime } from '@/lib/tools/tool-runtime'
import { createCallController } from '../call-controller'
import { messageCalls } from '../message-calls'
import type { CallFailure, CallLocks, CallServer } from '../call-ports'

/*
 * A small world for the call controller: some tabs, one server, the browser's locks. Every request, lock wait, tool run
 * and timer is a pending event that the test lets happen one by one, in any order; a crashed tab never hears of its
 * own. The server is the contract's: one row per call, attempts that count up, results once.
 */
export const SLOTS = 3
export const TABS = 2
export const MESSAGE = 'm1'
const CONVERSATION = 'c1'

export type Fault = 'request-lost' | 'answer-lost'

export const call = (slot: number, patch: Partial<CallSegment> = {}): CallSegment => ({
  kind: 'call',
  start: slot,
  end: slot + 1,
  id: `call_${slot + 1}`,
  name: 'write_file',
  arguments: { path: `/${slot}` },
  standing: 'live',
  verdict: 'ok',
  repairs: [],
  coercions: [],
  dialect: 'JSON_Strict',
  problem: null,
  ...patch,
})

export const message: AssistantMessage = {
  id: MESSAGE,
  conversationId: CONVERSATION,
  parentId: 'u1',
  createdAt: 1,
  role: 'assistant',
  text: '012',
  reasoning: '',
  strategy: 'JSON_Strict',
  toolsEnabled: true,
  model: 'demo/demo',
  outcome: 'finished',
  failure: null,
  usage: null,
  runId: 'r1',
}

const tools = defaultToolConfig

const conversation = {
  id: CONVERSATION,
  title: 'Test',
  settings: { version: 2, model: 'demo/demo', strategy: 'JSON_Strict', systemPrompt: '', tools },
  settingsProblem: null,
  headId: MESSAGE,
  createdAt: 1,
  updatedAt: 1,
} as const

interface Tab {
  readonly id: string
  readonly actions: CallActions
  state: ClientState
  alive: boolean
}

export function createWorld(
  options: { readonly calls?: readonly CallSegment[]; readonly outcomes?: readonly CallOutcome['status'][] } = {},
) {
  const calls = options.calls ?? Array.from({ length: SLOTS }, (_, slot) => call(slot))
  const reply: ParsedReply = { type: 'tool_call', segments: calls }
  const live = calls.filter((segment) => segment.standing === 'live')
  const pending: { readonly label: string; readonly go: () => void }[] = []
  const records = new Map<number, CallRecord>()
  const posts: string[] = []
  const executions = new Map<string, number>()
  const results: { tab: Tab; slot: number; attempt: number; value: unknown }[] = []
  const holders = new Map<string, Tab>()
  const freed = new Map<string, (() => void)[]>()
  const faults: Fault[] = []
  const tabs: Tab[] = []
  const log: string[] = []
  /** How often each tab followed the run that answers the results. */
  const joins = new Map<string, number>()
  let made = 0
  let clock = 1000
  let hadCrash = false

  const later = <T>(tab: Tab, label: string, work: () => T): Promise<T> =>
    new Promise((resolve) => {
      pending.push({
        label,
        go: () => {
          // A request that is on the wire reaches the server even if its tab is gone; the answer then has no reader.
          const value = work()
          if (tab.alive) resolve(value)
        },
      })
    })

  const lost: CallFailure = { code: 'unreachable', message: 'The server can’t be reached.', retryable: true }
  const request = <T>(tab: Tab, label: string, work: () => Result<T, CallFailure>): Promise<Result<T, CallFailure>> =>
    later(tab, label, () => {
      log.push(label)
      const fault = faults.shift()
      if (fault === 'request-lost') return err(lost)
      const answer = work()
      return fault === 'answer-lost' ? err(lost) : answer
    })

  const conflict = (text: string): CallFailure => ({ code: 'conflict', message: text, retryable: false })
  const isSettled = (slot: number) => {
    const row = records.get(slot)
    return row !== undefined && (row.decision !== 'run' || row.outcome !== null)
  }
  const allSettled = () => live.every((segment, slot) => segment.problem !== null || isSettled(slot))

  const serverOf = (tab: Tab): CallServer => ({
    decide: (_, body) =>
      request<DecideCallResponse>(tab, `decide ${body.decision} ${body.slot}`, () => {
        const standing = records.get(body.slot)
        const next = standing
          ? standing.decision === 'run' && standing.outcome === null && body.decision === 'run'
          : true
        if (!next || body.attempt !== (standing?.attempt ?? 0) + 1) {
          return standing ? ok({ granted: false, call: standing }) : err(conflict('no such attempt'))
        }
        const row: CallRecord = {
          messageId: MESSAGE,
          slot: body.slot,
          callId: `call_${body.slot + 1}`,
          name: 'write_file',
          callHash: body.callHash,
          decision: body.decision,
          reason: body.reason ?? '',
          runnerId: body.runnerId,
          attempt: body.attempt,
          decidedAt: clock,
          outcome: null,
          changed: null,
          by: { kind: 'click' },
          gated: false,
          release: null,
          finishedAt: null,
          postedIn: null,
        }
        records.set(body.slot, row)
        return ok({ granted: true, call: row })
      }),
    finish: (_, body) =>
      request(tab, `finish ${body.slot}`, () => {
        const row = records.get(body.slot)
        if (!row || row.attempt !== body.attempt || row.runnerId !== body.runnerId || row.decision !== 'run') {
          return err(conflict('Another attempt stands.'))
        }
        const finished = row.outcome ? row : { ...row, outcome: body.outcome, finishedAt: clock }
        records.set(body.slot, finished)
        return ok(finished)
      }),
    sendResults: (_, append) =>
      request(tab, 'send', () => {
        if (!allSettled()) return err(conflict('A call is open.'))
        if (!posts.includes(append.id)) posts.push(append.id)
        for (const [slot, row] of records) records.set(slot, { ...row, postedIn: append.id })
        const base = { id: append.id, conversationId: CONVERSATION, parentId: MESSAGE, createdAt: clock }
        return ok({
          runId: 'r2',
          replyId: 'm2',
          message: { ...base, role: 'user', text: '', results: [] },
          calls: [],
        })
      }),
    loadCalls: () => request(tab, 'load', () => ok([...records.values()])),
  })

  const locksOf = (tab: Tab): CallLocks => ({
    async tryHold(name, work) {
      if (holders.has(name)) return { held: false }
      holders.set(name, tab)
      const value = await work()
      release(name, tab)
      return { held: true, value }
    },
    isHeld: (name) => Promise.resolve(holders.has(name)),
    whenFree: (name) =>
      holders.has(name)
        ? new Promise((resolve) => freed.set(name, [...(freed.get(name) ?? []), resolve]))
        : Promise.resolve(),
  })

  function release(name: string, tab: Tab): void {
    if (holders.get(name) !== tab) return
    holders.delete(name)
    for (const wake of freed.get(name) ?? []) wake()
    freed.delete(name)
  }

  const runtimeOf = (tab: Tab): ToolRuntime =>
    ({
      execute: async (_name: string, args: { path?: string }, { signal }: { signal: AbortSignal }) => {
        const slot = Number(String(args.path).slice(1))
        const attempt = records.get(slot)?.attempt ?? 0
        const key = `${slot}#${attempt}`
        executions.set(key, (executions.get(key) ?? 0) + 1)
        const value = `${tab.id} ran ${key}`
        return later(tab, `execute ${slot}`, (): CallOutcome => {
          const rest = { durationMs: 1, console: [], displays: [] }
          if (signal.aborted) return { status: 'cancelled', result: 'stopped', ...rest }
          if (tab.alive) results.push({ tab, slot, attempt, value })
          const status = options.outcomes?.[slot] ?? (slot === 1 ? 'error' : 'completed')
          return { status, result: value, ...rest }
        })
      },
    }) as unknown as ToolRuntime

  function open(): Tab {
    made += 1
    const tab = { id: `tab${made}`, alive: true } as Tab & { actions: CallActions }
    tab.state = stateFrom(records)
    const actions = createCallController({
      runnerId: tab.id,
      now: () => (clock += 1),
      wait: () => later(tab, 'wait', () => undefined),
      getState: () => tab.state,
      dispatch: (event) => {
        tab.state = reduce(tab.state, event)
      },
      readCalls: () => messageCalls(reply),
      server: serverOf(tab),
      locks: locksOf(tab),
      runtime: () => Promise.resolve(runtimeOf(tab)),
      joinRun: () => void joins.set(tab.id, (joins.get(tab.id) ?? 0) + 1),
    })
    return Object.assign(tab, { actions })
  }

  for (let index = 0; index < TABS; index += 1) tabs.push(open())
  const flush = async () => {
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  }
  const advance = (pick: number) => pending.splice(pick % Math.max(1, pending.length), 1)[0]?.go()

  return {
    posts,
    executions,
    log,
    joins,
    flush,
    advance,
    get hadCrash() {
      return hadCrash
    },
    rows: () => [...records.values()],
    pending: () => pending.map((event) => event.label),
    stateOf: (index: number): ClientState => (tabs[index] as Tab).state,
    click: (index: number, act: (actions: CallActions, messageId: string) => void) =>
      act((tabs[index] as Tab).actions, MESSAGE),
    breakNext: (fault: Fault) => void (faults.length < 4 && faults.push(fault)),
    crash(index: number) {
      const tab = tabs[index] as Tab
      hadCrash = true
      tab.alive = false
      for (const [name, holder] of holders) if (holder === tab) release(name, tab)
      tabs[index] = open()
    },
    /** The view is loaded again, as on focus. */
    reload(index: number) {
      for (const row of records.values()) {
        const tab = tabs[index] as Tab
        tab.state = reduce(tab.state, { type: 'call-recorded', call: row })
      }
    },
    ran: (slot: number) => [...executions.keys()].some((key) => key.startsWith(`${slot}#`)),
    attemptsRun: (slot: number) => [...executions.keys()].filter((key) => key.startsWith(`${slot}#`)).length,
    survivingResults: () => results.filter(({ tab }) => tab.alive),
    allSettled,
    /** Lets everything that is pending happen, with the network whole again. */
    async settle() {
      faults.length = 0
      await flush()
      for (let turn = 0; pending.length > 0; turn += 1) {
        if (turn > 2000) throw new Error(`never settles: ${pending.map((event) => event.label).join(', ')}`)
        advance(0)
        await flush()
      }
    },
  }
}

export type World = ReturnType<typeof createWorld>

function stateFrom(records: ReadonlyMap<number, CallRecord>): ClientState {
  const calls = new Map([...records.values()].map((row) => [callKey(row.messageId, row.slot), row] as const))
  return {
    ...initialState,
    view: {
      ...initialState.view,
      id: CONVERSATION,
      phase: 'ready',
      conversation,
      tree: new Map([[MESSAGE, message]]),
      path: [message],
      calls,
    },
  }
}

function reduce(state: ClientState, event: ClientEvent): ClientState {
  const { view } = state
  switch (event.type) {
    case 'call-recorded':
      return {
        ...state,
        view: { ...view, calls: new Map(view.calls).set(callKey(event.call.messageId, event.call.slot), event.call) },
      }
    case 'call-live': {
      const lives = new Map(view.live)
      if (event.live) lives.set(event.key, event.live)
      else lives.delete(event.key)
      return { ...state, view: { ...view, live: lives } }
    }
    default:
      return state
  }
}
