import { err, ok } from '@/lib/base/result'
import { unreachable, type ApiAnswer, type ApiFailure } from '@/lib/client/api-failure'
import { show } from '@/lib/client/open-conversations'
import type { ChatResponse, ConversationView, DecideCallResponse, ResultsAppend } from '@/lib/conversation/api-types'
import { chatResponse } from '@/lib/conversation/testing/chat-response'
import type {
  AssistantMessage,
  CallAmendment,
  CallOutcome,
  CallRecord,
  Grant,
  ToolCallConfig,
} from '@/lib/conversation/conversation'
import type { CallActions } from '@/lib/client/actions'
import { asStopped, stoppedBefore } from '@/lib/conversation/stopped-outcome'
import { emptyView, initialState } from '@/lib/client/initial-state'
import { reduceClient } from '@/lib/client/reduce'
import type { ClientState } from '@/lib/client/state'
import type { CallSegment, ParsedReply } from '@/lib/strategies/segment'
import type { ToolRuntime } from '@/lib/tools/tool-runtime'
import type { Vfs } from '@/lib/vfs/vfs'
import type { ChangeOrigin } from '@/lib/vfs/vfs-history'
import { conversationWith, reviewOf } from './world-rows'
import { sentOf } from './sent-of'
import type { ServedChat } from './served-chat'
import { isForReply, type ToolFacts } from '@/lib/calls/approval-policy'
import { createApprovalDesk } from '../approval-desk'
import type { ApprovalUIAdapter } from '../approval-ui'
import { createCallController } from '../call-controller'
import { createInlineApproval } from '../inline-approval'
import {
  allSettled as allCallsSettled,
  liftedSlot,
  messageCalls,
  needsWord,
  usesRun,
  type MessageCall,
  type ReadWrittenCall,
} from '@/lib/calls/message-calls'
import type { CallApi, CallControllerPorts, CallLocks } from '../call-ports'

/*
 * A small world for the call controller: some tabs, one server, the browser's locks. Every request, lock wait, tool run
 * and timer is a pending event that the test lets happen one by one, in any order; a crashed tab never hears of its
 * own. The server is the contract's: one row per call, attempts that count up, a decision bound to the call as it stands,
 * grants that hold until they are taken back, gates, results once.
 */
export const SLOTS = 3
/** The slot of the quoted call that stands after the live ones, once it is lifted. */
export const LIFTED = liftedSlot(SLOTS)
export const TABS = 2
/** An argument `v` of this value does not fit. */
export const UNFIT = 2
export const unfit = { code: 'invalid-arguments', issues: [] } as const
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

/** The mocked `callHash` of the tests. */
const hashIn = (messageId: string) => (slot: number, name: string, args: unknown) =>
  JSON.stringify([messageId, slot, name, args])

interface Tab {
  readonly id: string
  readonly actions: CallActions
  state: ClientState
  alive: boolean
  onChange: () => void
}

/** What is known of any tool here. */
export const toolOf = (name: string): ToolFacts => ({ name, permission: 'public', requireExecutionApproval: 'never' })

/** Live ones, and a quoted one after them. */
export const usualCalls: readonly CallSegment[] = [
  ...Array.from({ length: SLOTS }, (_, slot) => call(slot)),
  call(SLOTS, { standing: 'quoted', arguments: { path: `/${LIFTED}` } }),
]

export const read: ReadWrittenCall = (written) => ({
  ...written,
  repairs: [],
  coercions: [],
  problem: written.arguments['v'] === UNFIT ? unfit : null,
})

export function createWorld(
  options: {
    /** The files of the conversation, where a case looks at them. */
    readonly vfs?: Vfs
    /** What a call does to them when it runs. */
    readonly onExecute?: (slot: number) => Promise<unknown> | undefined
    readonly calls?: readonly CallSegment[]
    readonly outcomes?: readonly CallOutcome['status'][]
    readonly tools?: Partial<ToolCallConfig>
    /** Slots whose code changed a file, which is asked about where `tools.codeChanges` says so. */
    readonly reviewed?: readonly number[]
    /** Slots whose results wait for a look. */
    readonly gated?: readonly number[]
    /** So many rounds went before that results leave only when the user says so. */
    readonly roundsUsedUp?: boolean
    /** Runs the calls instead of the played one. */
    readonly runtime?: ToolRuntime
    /** Each tab has a desk, as if it had seen the reply being written; the tool may then run by itself in mode `auto`. */
    readonly desks?: boolean
    readonly screen?: (tab: string) => ApprovalUIAdapter
    /** Remembered before the reply was written. */
    readonly grants?: readonly Grant[]
    /** The real service in the place of the played one. */
    readonly served?: ServedChat
  } = {},
) {
  const { served } = options
  const messageId = served?.messageId ?? MESSAGE
  const hashOf = hashIn(messageId)
  const conversationId = served?.conversationId ?? CONVERSATION
  const reply: ParsedReply = { type: 'tool_call', segments: options.calls ?? usualCalls }
  const conversation = conversationWith(CONVERSATION, MESSAGE, options.tools ?? {})
  const amendments = new Map<number, CallAmendment>()
  const grants = new Map<string, Grant>((options.grants ?? []).map((grant) => [grant.id, grant]))
  const { maxCallsPerReply: maxCalls } = conversation.settings.tools
  const callsNow = () => messageCalls(reply, { amendments: [...amendments.values()], read })
  const pending: { readonly label: string; readonly go: () => void }[] = []
  const records = new Map<number, CallRecord>()
  const posts: string[] = []
  /** What went to the model, by slot; undefined where the user kept it. */
  const posted = new Map<number, unknown>()
  const executions = new Map<string, number>()
  /** `slot#attempt` → hash of what ran, and of what was granted. */
  const ranAs = new Map<string, string>()
  const origins: (ChangeOrigin | undefined)[] = []
  const grantedAs = new Map<string, string>()
  const results: { tab: Tab; slot: number; attempt: number; value: unknown }[] = []
  const holders = new Map<string, Tab>()
  const freed = new Map<string, (() => void)[]>()
  const faults: Fault[] = []
  const tabs: Tab[] = []
  const log: string[] = []
  /** Undecided calls that the results went out without. */
  const leftOver: MessageCall[] = []
  /** How often each tab followed the run that answers the results. */
  const joins = new Map<string, number>()
  let made = 0
  let clock = 1000
  let ids = 0
  let hadCrash = false
  let shown: ConversationView | null = null

  const underWay = new Set<Promise<void>>()
  const later = <T>(tab: Tab, label: string, work: () => T | Promise<T>): Promise<T> =>
    new Promise((resolve) => {
      // A request that is on the wire reaches the server even if its tab is gone; the answer then has no reader.
      const arrive = (value: T) => void (tab.alive && resolve(value))
      const go = () => {
        const value = work()
        if (!(value instanceof Promise)) return arrive(value)
        const answered = value.then(arrive).finally(() => underWay.delete(answered))
        underWay.add(answered)
      }
      pending.push({ label, go })
    })

  const request = <T>(
    tab: Tab,
    label: string,
    work: () => ApiAnswer<T> | Promise<ApiAnswer<T>>,
  ): Promise<ApiAnswer<T>> =>
    later(tab, label, () => {
      log.push(label)
      const fault = faults.shift()
      if (fault === 'request-lost') return unreachable()
      const answer = work()
      if (fault !== 'answer-lost') return answer
      return answer instanceof Promise ? answer.then(() => unreachable()) : unreachable()
    })

  const conflict = (text: string): ApiFailure => ({ code: 'conflict', status: 409, message: text })
  const closed = (text: string): ApiFailure => ({ code: 'call-not-open', status: 409, message: text })
  const recordOf = (slot: number) => records.get(slot)
  const allSettled = () => allCallsSettled(callsNow(), recordOf, maxCalls)

  const serverOf = (tab: Tab): CallApi & Pick<CallControllerPorts, 'postResults'> => ({
    decideCall: (_, body) =>
      request<DecideCallResponse>(tab, `decide ${body.cancelled ? 'cancel' : body.decision} ${body.slot}`, () => {
        const { slot, by = { kind: 'click' } } = body
        const found = callsNow().find((one) => one.slot === slot)
        if (!found || (!found.runnable && body.decision === 'run')) return err(closed('There is no such call.'))
        if (hashOf(slot, found.call.name, found.call.arguments) !== body.callHash) {
          return err(conflict('This call is not the one that stands.'))
        }
        const standing = records.get(slot)
        if (!standing && posts.length > 0) return err(closed('The chat went on.'))
        const next = standing
          ? standing.decision === 'run' && standing.outcome === null && body.decision === 'run'
          : true
        if (!next || body.attempt !== (standing?.attempt ?? 0) + 1) {
          return standing ? ok({ granted: false, call: standing }) : err(conflict('no such attempt'))
        }
        const started = [...records.values()].filter((row) => row.slot !== slot && usesRun(row)).length
        const { cancelled = false } = body
        if (cancelled && body.attempt !== 1) return err(conflict('It was started before.'))
        if (!cancelled && body.decision === 'run' && started >= maxCalls) return err(closed('As many ran as may.'))
        const grant = by.kind === 'grant' ? grants.get(by.grantId) : undefined
        if (by.kind === 'grant' && (!grant || grant.revokedAt !== null)) return err(conflict('It was taken back.'))
        if (grant && !isForReply(grant, message)) return err(conflict('It was given after this reply began.'))
        if (by.kind === 'auto' && conversation.settings.tools.mode !== 'auto') return err(conflict('It asks.'))
        if (grant) grants.set(grant.id, { ...grant, uses: grant.uses + 1 })
        const row: CallRecord = {
          messageId: MESSAGE,
          slot,
          callId: found.call.id,
          name: found.call.name,
          callHash: body.callHash,
          decision: body.decision,
          reason: body.reason ?? '',
          runnerId: body.runnerId,
          attempt: body.attempt,
          decidedAt: clock,
          outcome: null,
          ...(cancelled && { stopped: stoppedBefore(clock) }),
          changed: found.changed ? { name: found.call.name, arguments: found.call.arguments } : null,
          by,
          gated: false,
          release: null,
          finishedAt: null,
          postedIn: null,
        }
        records.set(slot, row)
        if (!cancelled) grantedAs.set(`${slot}#${body.attempt}`, body.callHash)
        return ok({ granted: true, call: row })
      }),
    finishCall: (_, body) =>
      request(tab, `finish ${body.slot}`, () => {
        const row = records.get(body.slot)
        if (!row || row.attempt !== body.attempt || row.runnerId !== body.runnerId || row.decision !== 'run') {
          return err(conflict('Another attempt stands.'))
        }
        const ran = body.outcome.status === 'completed' || body.outcome.status === 'error'
        const gated = ran && (options.gated ?? []).includes(body.slot)
        const outcome = asStopped(body.outcome, row.stopped)
        const finished = row.outcome ? row : { ...row, outcome, finishedAt: clock, gated }
        records.set(body.slot, finished)
        return ok(finished)
      }),
    stopCall: (_, body) =>
      request(tab, `stop ${body.slot}`, () => {
        const row = records.get(body.slot)
        if (!row || row.attempt !== body.attempt || row.runnerId !== body.runnerId || row.decision !== 'run') {
          return err(closed('Nothing runs.'))
        }
        const { outcome = null } = body
        const stands = row.outcome || (row.stopped && (row.stopped.outcome !== null || outcome === null))
        const stopped = stands ? row : { ...row, stopped: { at: row.stopped?.at ?? clock, outcome } }
        records.set(body.slot, stopped)
        return ok(stopped)
      }),
    amendCall: (_, { slot, amendment }) =>
      request(tab, `amend ${slot}`, () => {
        if (records.has(slot) || posts.length > 0) return err(closed('The call was decided.'))
        if (amendment) amendments.set(slot, { messageId: MESSAGE, slot, call: amendment.call, amendedAt: clock })
        else amendments.delete(slot)
        return ok([...amendments.values()])
      }),
    releaseResult: (_, { slot, attempt, release }) =>
      request(tab, `release ${slot}`, () => {
        const row = records.get(slot)
        if (!row?.outcome || !row.gated || row.attempt !== attempt || row.postedIn) return err(closed('Nothing waits.'))
        const free = row.release === null || (row.release.kind === 'withheld' && release.kind !== 'withheld')
        if (free) records.set(slot, { ...row, release: { ...release, releasedAt: (clock += 1) } })
        return ok(records.get(slot) ?? row)
      }),
    giveGrant: (_, { id, slot, callHash, messageId }) =>
      request(tab, `grant ${slot}`, () => {
        const found = callsNow().find((one) => one.slot === slot)
        if (!found?.runnable || hashOf(slot, found.call.name, found.call.arguments) !== callHash) {
          return err(conflict('This call is not the one that stands.'))
        }
        const grant = grants.get(id) ?? {
          id,
          scope: { kind: 'tool' as const, tool: found.call.name },
          createdAt: clock,
          uses: 0,
          lastUsedAt: null,
          revokedAt: null,
          givenOn: { messageId, slot },
        }
        grants.set(id, grant)
        return ok(grant)
      }),
    revokeGrant: (_, id) =>
      request(tab, 'revoke', () => {
        const grant = grants.get(id)
        if (!grant) return err(closed('There is no such permission.'))
        const revoked = { ...grant, revokedAt: grant.revokedAt ?? clock }
        grants.set(id, revoked)
        return ok(revoked)
      }),
    postResults: (_, append) =>
      request(tab, 'send', () => {
        const base = { id: append.id, conversationId: CONVERSATION, parentId: MESSAGE, createdAt: clock }
        const taken = { ...base, role: 'user' as const, text: '', results: [] }
        const answer = chatResponse({ runId: 'r2', replyId: 'm2', message: taken })
        if (posts.includes(append.id)) return ok(answer)
        if (!allSettled()) return err(closed('A call is open.'))
        const { continueRounds = false } = append as { readonly continueRounds?: boolean }
        if (options.roundsUsedUp && !continueRounds) return err(conflict('5 rounds of tools. Continue?'))
        posts.push(append.id)
        leftOver.push(...callsNow().filter((one) => needsWord(one) && !records.has(one.slot)))
        for (const [slot, row] of records) {
          posted.set(slot, sentOf(row))
          records.set(slot, { ...row, postedIn: append.id })
        }
        return ok(answer)
      }),
    view: () => request(tab, 'load', () => ok(viewNow())),
  })

  /** What the service knows by now, as the played server would. */
  async function mirror({ view }: ServedChat): Promise<void> {
    shown = await view()
    for (const row of shown.calls) if (row.messageId === messageId) records.set(row.slot, row)
    amendments.clear()
    for (const row of shown.amendments) amendments.set(row.slot, row)
    for (const grant of shown.grants) grants.set(grant.id, grant)
  }

  function wentOut({ id }: ResultsAppend, { message: said }: ChatResponse, open: readonly MessageCall[]): void {
    if (posts.includes(id)) return
    posts.push(id)
    leftOver.push(...open)
    for (const { slot, result } of said?.results ?? []) {
      const row = records.get(slot)
      const isKept = row?.gated === true && row.release?.kind === 'withheld'
      const tells = JSON.stringify(result).includes(String(row?.outcome?.result))
      posted.set(slot, isKept && !tells ? undefined : result)
    }
  }

  const servedTo = (tab: Tab, chat: ServedChat): CallApi & Pick<CallControllerPorts, 'postResults'> => {
    const ask = <T>(label: string, work: Parameters<typeof chat.ask<T>>[0]): Promise<ApiAnswer<T>> =>
      request(tab, label, async () => {
        const answer = await chat.ask(work)
        await mirror(chat)
        return answer
      })
    return {
      decideCall: (id, body) =>
        ask(`decide ${body.cancelled ? 'cancel' : body.decision} ${body.slot}`, async (service, owner) => {
          const answer = await service.decide(owner, id, body)
          if (answer.granted && !body.cancelled) grantedAs.set(`${body.slot}#${body.attempt}`, body.callHash)
          return answer
        }),
      finishCall: (id, body) => ask(`finish ${body.slot}`, (service, owner) => service.finish(owner, id, body)),
      stopCall: (id, body) => ask(`stop ${body.slot}`, (service, owner) => service.stopCall(owner, id, body)),
      amendCall: (id, body) => ask(`amend ${body.slot}`, (service, owner) => service.amend(owner, id, body)),
      releaseResult: (id, body) => ask(`release ${body.slot}`, (service, owner) => service.release(owner, id, body)),
      giveGrant: (id, body) => ask(`grant ${body.slot}`, (service, owner) => service.giveGrant(owner, id, body)),
      revokeGrant: (id, grantId) => ask('revoke', (service, owner) => service.revokeGrant(owner, id, grantId)),
      view: (id) => ask('load', (service, owner) => service.view(owner, id)),
      postResults: (id, append) =>
        ask('send', async (service, owner) => {
          const open = callsNow().filter((one) => needsWord(one) && !records.has(one.slot))
          const answer = await service.append(owner, { conversationId: id, append })
          await mirror(chat)
          wentOut(append, answer, open)
          return answer
        }),
    }
  }
  const apiOf = (tab: Tab) => (served ? servedTo(tab, served) : serverOf(tab))

  const locksOf = (tab: Tab): CallLocks => ({
    async tryHold(name, work) {
      if (holders.has(name)) return { held: false }
      holders.set(name, tab)
      const value = await work()
      unlock(name, tab)
      return { held: true, value }
    },
    isHeld: (name) => Promise.resolve(holders.has(name)),
    whenFree: (name) =>
      holders.has(name)
        ? new Promise((resolve) => freed.set(name, [...(freed.get(name) ?? []), resolve]))
        : Promise.resolve(),
  })

  function unlock(name: string, tab: Tab): void {
    if (holders.get(name) !== tab) return
    holders.delete(name)
    for (const wake of freed.get(name) ?? []) wake()
    freed.delete(name)
  }

  const runtimeOf = (tab: Tab): ToolRuntime =>
    ({
      vfs: options.vfs,
      execute: async (
        name: string,
        args: { path?: string },
        { signal, review, origin }: Parameters<ToolRuntime['execute']>[2],
      ) => {
        const slot = Number(String(args.path).slice(1))
        const attempt = records.get(slot)?.attempt ?? 0
        const key = `${slot}#${attempt}`
        executions.set(key, (executions.get(key) ?? 0) + 1)
        ranAs.set(key, hashOf(slot, name, args))
        const value = `${tab.id} ran ${key}`
        await options.onExecute?.(slot)
        origins.push(origin)
        if (review && options.reviewed?.includes(slot)) {
          const { texts: _, ...changes } = reviewOf(slot)
          const answer = await review(reviewOf(slot))
          const files = { ...changes, kept: answer === 'keep' }
          return { status: 'completed', result: value, durationMs: 1, console: [], displays: [], files }
        }
        return later(tab, `execute ${slot}`, (): CallOutcome => {
          const rest = { durationMs: 1, console: [], displays: [] }
          if (signal.aborted) return { status: 'cancelled', result: 'stopped', ...rest }
          if (tab.alive) results.push({ tab, slot, attempt, value })
          const status = options.outcomes?.[slot] ?? (slot === 1 ? 'error' : 'completed')
          return { status, result: value, ...rest }
        })
      },
    }) as unknown as ToolRuntime

  const viewNow = (): ConversationView => ({
    conversation,
    messages: [message],
    calls: [...records.values()],
    amendments: [...amendments.values()],
    grants: [...grants.values()],
    activeRunId: null,
  })

  function reload(tab: Tab): void {
    tab.state = reduceClient(tab.state, { type: 'view-loaded', view: shown ?? viewNow() })
    tab.onChange()
  }

  function open(): Tab {
    made += 1
    const tab = { id: `tab${made}`, alive: true, onChange: () => {} } as Tab & { actions: CallActions }
    tab.state = show(initialState, { ...emptyView, id: conversationId })
    reload(tab)
    const actions = createCallController({
      runnerId: tab.id,
      now: () => (clock += 1),
      wait: () => later(tab, 'wait', () => undefined),
      getState: () => tab.state,
      newId: () => `id${(ids += 1)}`,
      dispatch: (event) => {
        tab.state = reduceClient(tab.state, event)
        tab.onChange()
      },
      readCalls: (_message, _config, rows) => messageCalls(reply, { amendments: rows, read }),
      api: apiOf(tab),
      postResults: apiOf(tab).postResults,
      locks: locksOf(tab),
      runtime: () => Promise.resolve(options.runtime ?? runtimeOf(tab)),
      joinRun: () => void joins.set(tab.id, (joins.get(tab.id) ?? 0) + 1),
    })
    if (options.desks) {
      createApprovalDesk({
        getState: () => tab.state,
        subscribe: (listener) => {
          tab.onChange = () => tab.alive && listener()
          return () => undefined
        },
        actions,
        readCalls: (_message, _config, rows) => messageCalls(reply, { amendments: rows, read }),
        toolOf,
        uiOf: () => options.screen?.(tab.id) ?? createInlineApproval({ now: () => clock }),
        isWatched: () => true,
        now: () => clock,
        say: () => undefined,
      })
    }
    return Object.assign(tab, { actions })
  }

  if (!served) for (let index = 0; index < TABS; index += 1) tabs.push(open())
  const flush = async () => {
    await Promise.all(underWay)
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  }
  const advance = (pick: number) => pending.splice(pick % Math.max(1, pending.length), 1)[0]?.go()

  return {
    /** A served one begins with what stands. */
    async start() {
      if (served) await mirror(served)
      if (served) for (let index = 0; index < TABS; index += 1) tabs.push(open())
    },
    posts,
    leftOver,
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
      act((tabs[index] as Tab).actions, messageId),
    breakNext: (fault: Fault) => void (faults.length < 4 && faults.push(fault)),
    /** Time goes by. */
    pass: (ms: number) => void (clock += ms),
    crash(index: number) {
      const tab = tabs[index] as Tab
      hadCrash = true
      tab.alive = false
      for (const [name, holder] of holders) if (holder === tab) unlock(name, tab)
      tabs[index] = open()
    },
    /** The view is loaded again, as on focus. */
    reload: (index: number) => reload(tabs[index] as Tab),
    grants,
    posted,
    ranAs,
    origins,
    grantedAs,
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
