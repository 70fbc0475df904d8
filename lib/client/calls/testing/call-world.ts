import type { ChatService } from '@/lib/server/chats/chat-service'
import { noMarks, type CallMarks } from '@/lib/shared/origin/branch-origin'
import { ok } from '@/lib/base/result'
import { unreachable, type ApiAnswer } from '@/lib/client/api/api-failure'
import { showConversation } from '@/lib/client/state/open-conversations'
import type { ChatResponse, ResultsAppend } from '@/lib/shared/conversation/wire/api-types'
import type { ToolCallConfig } from '@/lib/shared/conversation/conversation'
import type { CallAmendment, CallOutcome, CallRecord, Grant } from '@/lib/shared/conversation/call-record'
import type { CallActions } from '@/lib/client/chats/actions'
import { reduceClient } from '@/lib/client/state/store'
import { type ClientState, emptyView, initialState } from '@/lib/client/state/state'
import type { CallSegment, ParsedReply } from '@/lib/protocols/types/segment'
import type { JsonValue } from '@/lib/base/json'
import type { SandboxTools } from '@/lib/sandbox/sandbox'
import type { ToolRuntime } from '@/lib/shared/tools/tool'
import type { Vfs } from '@/lib/vfs/vfs'
import type { ChangeOrigin } from '@/lib/vfs/vfs-history'
import { reviewOf } from './world-rows'
import { serveChat } from './served-chat'
import { MESSAGE, read, toolOf, usualCalls } from './world-calls'
import { openSqliteStore } from '@/lib/server/store/sqlite/open-sqlite-store'
import type { Store } from '@/lib/server/store/ports/store'
import { decodeSettings } from '@/lib/shared/conversation/settings/settings'
import { createApprovalService } from '../approval/approval-service'
import type { ApprovalUIAdapter } from '../approval/approval-ui'
import { createInlineApproval } from '../approval/inline-approval'
import { createCallController } from '../call-controller'
import { createCallSecrets } from '@/lib/client/secrets/call-secrets'
import { createMemoryVault } from '@/lib/client/secrets/vault'
import { findInTexts } from '@/lib/shared/secrets/find-secrets'
import {
  allSettled as allCallsSettled,
  messageCalls,
  needsDecision,
  type MessageCall,
} from '@/lib/shared/calls/message-calls'
import { callHash as hashOfCall } from '@/lib/shared/calls/call-hash'
import { callLinkRunner } from '@/lib/shared/conversation/wire/call-requests'
import type { CallApi, CallControllerPorts, CallLocks } from '../call-ports'

/*
 * A small world for the call controller: some tabs, one server, the browser's locks. Every request, lock wait, tool run
 * and timer is a pending event that the test lets happen one by one, in any order; a crashed tab never gets its own.
 * The server is the real chat service, on SQLite; the test defines the calls of its one reply.
 */
export const TABS = 2
export type Fault = 'request-lost' | 'answer-lost'

/** The mocked `callHash` of the tests. */
const hashOf = (slot: number, name: string, args: unknown) => JSON.stringify([MESSAGE, slot, name, args])

/** One for all worlds of a test file; each has its own chat. */
let opened: Promise<Store> | null = null
const store = () => (opened ??= openSqliteStore(':memory:', { decodeSettings, now: () => 1_000_000 }))
let worlds = 0

interface Tab {
  readonly id: string
  readonly actions: CallActions
  state: ClientState
  alive: boolean
  onChange: () => void
}

export async function createWorld(
  options: {
    /** The files of the conversation, for cases that check them. */
    readonly vfs?: Vfs
    /** What a call does to the files when it runs. */
    readonly onExecute?: (slot: number) => Promise<unknown> | undefined
    readonly calls?: readonly CallSegment[]
    readonly outcomes?: readonly CallOutcome['status'][]
    readonly tools?: Partial<ToolCallConfig>
    /** Slots whose code changed a file, which needs a review where `tools.codeChanges` says so. */
    readonly reviewed?: readonly number[]
    /** The path that they changed, instead of `/out-SLOT`. */
    readonly reviewedPath?: string
    /** Calls whose result has an image. */
    readonly pictured?: readonly number[]
    /** Calls whose server asks the user a question. */
    readonly asked?: readonly number[]
    /** Slots whose results wait for a review. */
    readonly gated?: readonly number[]
    /** The round limit is reached, so results are sent only when the user says so. */
    readonly roundsUsedUp?: boolean
    /** How the call of slot 0 uses the tools that its code may call. The call returns what this returns. */
    readonly script?: (tools: SandboxTools, signal: AbortSignal) => Promise<JsonValue>
    /** Each tab is another device: it has secret values of its own. */
    readonly ownVaults?: boolean
    /** Where the chat is stored; left out: one of the test file's. */
    readonly store?: Store
    /** Runs the calls instead of the fake runtime. */
    readonly runtime?: ToolRuntime
    /**
     * Each tab has an approval service, as if it had seen the reply being written; the tool may then run
     * automatically in mode `auto`.
     */
    readonly desks?: boolean
    readonly screen?: (tab: string) => ApprovalUIAdapter
    /** The origins of calls; left out: no call is marked. */
    readonly marks?: () => Promise<CallMarks>
    /** Grants given before the reply was written. */
    readonly grants?: readonly Grant[]
    /** The user chose a copy with the message. */
    readonly isOnCopy?: boolean
    readonly hasOtherDevices?: boolean
  } = {},
) {
  const calls = options.calls ?? usualCalls
  const reply: ParsedReply = { type: 'tool_call', segments: calls }
  /** The slot whose outcome is being stored: results are gated one by one. */
  let finishing = -1
  const chat = await serveChat(options.store ?? (await store()), {
    name: `w${(worlds += 1)}`,
    messageId: MESSAGE,
    reply,
    read,
    toolOf: (name) => {
      const { spec, policy } = toolOf(name)
      return {
        spec,
        policy: { ...policy, requireResultApproval: options.gated?.includes(finishing) ? 'always' : 'never' },
      }
    },
    tools: { resultGate: 'never', ...options.tools },
    grants: options.grants ?? [],
    roundsUsedUp: options.roundsUsedUp ?? false,
    isOnCopy: options.isOnCopy ?? false,
  })
  const { conversationId } = chat
  let shown = await chat.view()
  const { maxCallsPerReply: maxCalls } = shown.conversation.settings.tools
  const amendments = new Map<number, CallAmendment>()
  const grants = new Map<string, Grant>()
  const callsNow = () => messageCalls(reply, { amendments: [...amendments.values()], read })
  const pending: { readonly label: string; readonly go: () => void }[] = []
  const records = new Map<number, CallRecord>()
  const posts: string[] = []
  const appends: ResultsAppend[] = []
  /** What the model got, by slot; undefined where the user withheld it. */
  const posted = new Map<number, unknown>()
  const executions = new Map<string, number>()
  const ranInner: object[] = []
  /** `slot#attempt` → hash of what ran, and of what was granted. */
  const ranAs = new Map<string, string>()
  const origins: (ChangeOrigin | undefined)[] = []
  const grantedAs = new Map<string, string>()
  const results: { tab: Tab; slot: number; attempt: number; value: unknown }[] = []
  const holders = new Map<string, Tab>()
  const vault = createMemoryVault()
  const freed = new Map<string, (() => void)[]>()
  const faults: Fault[] = []
  const tabs: Tab[] = []
  const log: string[] = []
  /** Every request to the server, as JSON. */
  const sent: string[] = []
  /** Undecided calls that the results were sent without. */
  const leftOver: MessageCall[] = []
  /** How often each tab followed the run that answers the results. */
  const joins = new Map<string, number>()
  let made = 0
  let clock = 1000
  let ids = 0
  let hadCrash = false

  const underWay = new Set<Promise<void>>()
  const later = <T>(tab: Tab, label: string, work: () => T | Promise<T>): Promise<T> =>
    new Promise((resolve) => {
      // A request on its way reaches the server even if its tab is gone; the response then has no reader.
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

  const recordOf = (slot: number) => records.get(slot)
  const allSettled = () => allCallsSettled(callsNow(), recordOf, maxCalls)

  /** Updates what the service knows. */
  async function look(): Promise<void> {
    shown = await chat.view()
    for (const row of shown.calls) if (row.messageId === MESSAGE) records.set(row.slot, row)
    amendments.clear()
    for (const row of shown.amendments) amendments.set(row.slot, row)
    for (const grant of shown.grants) grants.set(grant.id, grant)
  }

  function applySent({ id }: ResultsAppend, { message: said }: ChatResponse, open: readonly MessageCall[]): void {
    if (posts.includes(id)) return
    posts.push(id)
    leftOver.push(...open)
    for (const { slot, result } of said?.results ?? []) {
      const row = records.get(slot)
      const isKept = row?.gated === true && row.release?.kind === 'withheld'
      const tells = JSON.stringify(result).includes(JSON.stringify(row?.outcome?.result))
      posted.set(slot, isKept && !tells ? undefined : result)
    }
  }

  const apiOf = (tab: Tab): CallApi & Pick<CallControllerPorts, 'postResults'> => {
    const ask = <T>(label: string, work: Parameters<typeof chat.ask<T>>[0]): Promise<ApiAnswer<T>> =>
      request(tab, label, async () => {
        const answer = await chat.ask(work)
        await look()
        return answer
      })
    return noting({
      decideCall: (id, body) =>
        ask(`decide ${body.cancelled ? 'cancel' : body.decision} ${body.slot}`, async (service, owner) => {
          const answer = await service.decide(owner, id, body)
          if (answer.granted && !body.cancelled) grantedAs.set(`${body.slot}#${body.attempt}`, body.callHash)
          return answer
        }),
      finishCall: (id, body) =>
        ask(`finish ${body.slot}`, (service, owner) => {
          finishing = body.slot
          return service.finish(owner, id, body)
        }),
      decideInner: (id, body) =>
        ask(`inner ${body.decision} ${body.n}`, (service, owner) => service.decideInner(owner, id, body)),
      finishInner: (id, body) => ask(`inner end ${body.n}`, (service, owner) => service.finishInner(owner, id, body)),
      stopCall: (id, body) => ask(`stop ${body.slot}`, (service, owner) => service.stopCall(owner, id, body)),
      explainDenial: (id, body) =>
        ask(`explain ${body.slot}`, (service, owner) => service.explainDenial(owner, id, body)),
      amendCall: (id, body) => ask(`amend ${body.slot}`, (service, owner) => service.amend(owner, id, body)),
      releaseResult: (id, body) => ask(`release ${body.slot}`, (service, owner) => service.release(owner, id, body)),
      giveGrant: (id, body) =>
        ask(`grant ${'slot' in body ? body.slot : body.kind}`, (service, owner) => service.giveGrant(owner, id, body)),
      endCopy: (id, grantId, body) => ask('end-copy', (service, owner) => service.endCopy(owner, id, grantId, body)),
      revokeGrant: (id, grantId) => ask('revoke', (service, owner) => service.revokeGrant(owner, id, grantId)),
      messages: (id, wanted) => ask('load', (service, owner) => service.messages(owner, id, wanted)),
      postResults: (id, append) =>
        ask('send', async (service, owner) => {
          const open = callsNow().filter((one) => needsDecision(one) && !records.has(one.slot))
          appends.push(append)
          const answer = await service.append(owner, { conversationId: id, append })
          await look()
          applySent(append, answer, open)
          return answer
        }),
    })
  }

  /** The same requests, recorded. */
  const noting = <Api extends object>(api: Api): Api =>
    new Proxy(api, {
      get(target, name) {
        const method: unknown = Reflect.get(target, name)
        if (typeof method !== 'function') return method
        return (...args: unknown[]): unknown => {
          sent.push(JSON.stringify(args))
          return Reflect.apply(method, target, args)
        }
      },
    })

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
        { signal, review, ask, origin, inner, innerNumber }: Parameters<ToolRuntime['execute']>[2],
      ) => {
        if (name !== 'write_file') {
          ranInner.push({ name, origin, innerNumber })
          executions.set(name, (executions.get(name) ?? 0) + 1)
          const ended = (): CallOutcome => ({
            status: signal.aborted ? 'cancelled' : 'completed',
            result: `${name} gave ${JSON.stringify(args)}`,
            durationMs: 1,
            console: [],
            displays: [],
          })
          return later(tab, `execute ${name}`, ended)
        }
        const slot = Number(String(args.path).slice(1))
        const attempt = records.get(slot)?.attempt ?? 0
        const key = `${slot}#${attempt}`
        executions.set(key, (executions.get(key) ?? 0) + 1)
        ranAs.set(key, hashOf(slot, name, args))
        const value = `${tab.id} ran ${key}`
        await options.onExecute?.(slot)
        origins.push(origin)
        if (inner && options.script && slot === 0) {
          const result = await options.script(inner, signal)
          const status = signal.aborted ? 'cancelled' : 'completed'
          return { status, result, durationMs: 1, console: [], displays: [] }
        }
        if (review && options.reviewed?.includes(slot)) {
          const { texts: _, ...changes } = reviewOf(slot, options.reviewedPath)
          const answer = await review(reviewOf(slot, options.reviewedPath))
          const files = { ...changes, kept: answer === 'keep' }
          return { status: 'completed', result: value, durationMs: 1, console: [], displays: [], files }
        }
        if (ask && options.asked?.includes(slot)) {
          const question = { kind: 'form', host: 'a.example', message: 'Which?', fields: [] } as const
          const { action } = await ask(question, new AbortController().signal)
          if (signal.aborted) return { status: 'cancelled', result: action, durationMs: 1, console: [], displays: [] }
          return { status: 'completed', result: action, durationMs: 1, console: [], displays: [] }
        }
        return later(tab, `execute ${slot}`, (): CallOutcome => {
          const rest = { durationMs: 1, console: [], displays: [] }
          if (signal.aborted) return { status: 'cancelled', result: 'stopped', ...rest }
          if (tab.alive) results.push({ tab, slot, attempt, value })
          if (options.pictured?.includes(slot)) {
            const files = [{ path: '/.nod/results/draw-1.png', type: 'image/png', bytes: 4 }]
            const displays = [{ kind: 'image', data: 'data:image/png;base64,iVBOR' }]
            return { status: 'completed', ...rest, result: { text: value, files }, displays }
          }
          const status = options.outcomes?.[slot] ?? (slot === 1 ? 'error' : 'completed')
          return { status, result: value, ...rest }
        })
      },
    }) as unknown as ToolRuntime

  function reload(tab: Tab): void {
    tab.state = reduceClient(tab.state, { type: 'view-loaded', view: shown })
    tab.onChange()
  }

  function openTab(): Tab {
    made += 1
    const tab = { id: `tab${made}`, alive: true, onChange: () => {} } as Tab & { actions: CallActions }
    const tabVault = options.ownVaults ? createMemoryVault() : vault
    tab.state = showConversation(initialState, { ...emptyView, id: conversationId })
    reload(tab)
    const actions = createCallController({
      runnerId: tab.id,
      now: () => (clock += 1),
      monotonic: () => clock,
      wait: () => later(tab, 'wait', () => undefined),
      getState: () => tab.state,
      newId: () => `id${(ids += 1)}`,
      dispatch: (event) => {
        tab.state = reduceClient(tab.state, event)
        tab.onChange()
      },
      readCalls: (_message, _config, rows) => messageCalls(reply, { amendments: rows, read }),
      api: apiOf(tab),
      toolOf,
      secrets: createCallSecrets(
        () => tabVault,
        (texts, kinds) => findInTexts(texts, () => Promise.resolve(), kinds),
      ),
      postResults: apiOf(tab).postResults,
      pictures: (_, files) =>
        Promise.resolve(ok(files.map((file) => ({ ...file, image: { mediaType: 'image/png', data: 'iVBOR' } })))),
      marksOf: () => options.marks?.() ?? Promise.resolve(noMarks),
      locks: locksOf(tab),
      hasOtherDevices: options.hasOtherDevices ?? false,
      runtime: () => Promise.resolve(options.runtime ?? runtimeOf(tab)),
      ...(options.script && { toolsForCode: () => ['list_directory', 'read_file'] }),
      joinRun: () => void joins.set(tab.id, (joins.get(tab.id) ?? 0) + 1),
    })
    if (options.desks) {
      createApprovalService({
        getState: () => tab.state,
        subscribe: (listener) => {
          tab.onChange = () => tab.alive && listener()
          return () => undefined
        },
        actions,
        readCalls: (_message, _config, rows) => messageCalls(reply, { amendments: rows, read }),
        toolOf,
        marksOf: () => Promise.resolve(new Map()),
        cards: createInlineApproval({ monotonic: () => clock }),
        screenOf: () => options.screen?.(tab.id) ?? null,
        isWatched: () => true,
        now: () => clock,
      })
    }
    return Object.assign(tab, { actions })
  }

  await look()
  for (let index = 0; index < TABS; index += 1) tabs.push(openTab())
  const flush = async () => {
    await Promise.all(underWay)
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  }
  const advance = (pick: number) => pending.splice(pick % Math.max(1, pending.length), 1)[0]?.go()

  return {
    posts,
    /** As they were sent to the server. */
    appends,
    sent,
    conversationId,
    leftOver,
    executions,
    ranInner,
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
    /** Another device decides on a call and runs nothing. */
    async decideElsewhere(slot: number, decision: 'run' | 'deny') {
      const target = callsNow().find((one) => one.slot === slot)
      if (!target) throw new Error(`no call ${slot}`)
      const { name, arguments: args } = target.call
      const callHash = await hashOfCall(MESSAGE, slot, name, args)
      const runnerId = `${callLinkRunner}1`
      await chat.ask((service, owner) =>
        service.decide(owner, conversationId, { messageId: MESSAGE, slot, callHash, decision, runnerId, attempt: 1 }),
      )
      grantedAs.set(`${slot}#1`, callHash)
    },
    /** Advances the clock. */
    pass: (ms: number) => void (clock += ms),
    crash(index: number) {
      const tab = tabs[index] as Tab
      hadCrash = true
      tab.alive = false
      for (const [name, holder] of holders) if (holder === tab) unlock(name, tab)
      tabs[index] = openTab()
    },
    /** Asks the service directly, without the tabs. */
    async ask<T>(
      work: (service: ChatService, owner: string, conversationId: string) => Promise<T>,
    ): Promise<ApiAnswer<T>> {
      const answer = await chat.ask((service, owner) => work(service, owner, conversationId))
      await look()
      return answer
    },
    /** Loads the view again, as on focus. */
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
    /** Runs all pending events, with a working network. */
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

export type World = Awaited<ReturnType<typeof createWorld>>
