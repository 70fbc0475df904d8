import { AppError } from '@/lib/base/app-error'
import { isJsonObject } from '@/lib/base/json'
import { err, ok } from '@/lib/base/result'
import { failed, unreachable, type ApiAnswer } from '@/lib/client/api/api-failure'
import { createFaultBrowser } from '@/lib/client/chats/testing/faults/fault-browser'
import { createFaultyApi, fates, type Fate } from '@/lib/client/chats/testing/faults/fault-network'
import { openFaultTab, type FaultTab } from '@/lib/client/chats/testing/faults/fault-tab'
import { randomOf } from '@/lib/client/chats/testing/faults/random'
import { createChatHarness } from '@/lib/server/chats/testing/chat-harness'
import { lineTools } from '@/lib/server/chats/testing/line-strategy'
import type { ManualClock } from '@/lib/server/chats/testing/manual-clock'
import { waitFor } from '@/lib/server/runs/clock'
import type { Store } from '@/lib/server/store/ports/store'
import { connectServer } from '@/lib/server/tool-servers/connect.server'
import { createServerPool } from '@/lib/server/tool-servers/pool'
import type { CallRecord } from '@/lib/shared/conversation/call-record'
import { isHere } from '@/lib/shared/conversation/message-tree'
import type { RelayCall } from '@/lib/shared/conversation/wire/call-requests'
import type { RelayLine } from '@/lib/shared/mcp/call-answer'
import { toolsOfSet } from '@/lib/shared/mcp/tools-of-set'
import { executeTool } from '@/lib/shared/tools/client-executor'
import type { ToolRuntime, RunPorts } from '@/lib/shared/tools/tool'
import { toolOfRegistered } from '@/lib/shared/tools/tool-registry'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import { createRelayedServer } from '../relayed-server'
import type { RemoteServer } from '../remote-server'
import { runRemote } from '../run-remote'
import type { SignedIn } from '../sign-in/signed-in'
import { createFaultyServer, faultyAddress, faultyTool, type FaultyServer } from './faulty-server'
import { openWorker } from './worker'

export interface CallFaultReport {
  readonly faults: number
  readonly calls: number
  /** How many of these the tool server ran. */
  readonly ran: number
  /** Violated guarantees, as text; empty if all is well. */
  readonly wrong: readonly string[]
  readonly deeds: readonly string[]
}

/** A sentence that says that the call did not run. */
const SAYS_NO = /Nothing was sent|did not run|was not asked|before it was sent|before it started|not sent a second time/

/**
 * Runs one round: a user with some tabs runs calls of a tool server while everything may fail: the connection to Nod,
 * its nodes, the pages, and the tool server (`createFaultyServer`). At the end everything works; then each call ran at
 * most once, and each started call has a true outcome. `relayed`: through Nod's own server, like an operator's server.
 */
export async function runCallFaultRound(
  base: Store,
  seed: number,
  clock: ManualClock,
  { relayed, steps = 24 }: { readonly relayed: boolean; readonly steps?: number },
): Promise<CallFaultReport> {
  const random = randomOf(seed)
  const below = (limit: number) => Math.floor(random() * limit)
  const pick = <T>(from: readonly T[]): T => from[below(from.length)] as T
  const owner = `caller-${seed}`
  const browser = createFaultBrowser()
  const deeds: string[] = []
  const executions = new Map<string, number>()
  let faults = 0
  let ids = 0
  let whole = false
  let calls = 0
  const delay = () => 1 + below(60)
  const nextFate = (): Fate => {
    const fate = whole || random() < 0.8 ? 'fine' : pick(fates)
    if (fate !== 'fine') faults += 1
    return fate
  }

  const era = (['modern', 'legacy', 'old'] as const)[Math.floor(seed / 2) % 3] ?? 'modern'
  const server: FaultyServer = createFaultyServer({
    clock,
    era,
    pick,
    breaks: () => !whole && random() < 0.6,
    delay,
  })
  const signedIn = new Map<string, SignedIn>(relayed ? [] : [[faultyAddress, server.signIn()]])
  const serverId = relayed ? 'operator-files' : 'files'
  const [tool] = toolsOfSet({ server: serverId, host: 'tools.example.org', prefix: 'files' }, [faultyTool])
  if (!tool?.remote) throw new Error('the set has one tool')
  const { remote: ofServer } = tool

  function startNode() {
    let up = true
    const gone = new AbortController()
    const store = new Proxy(base, {
      get(target, name: keyof Store) {
        const method = target[name]
        if (typeof method !== 'function') return method
        return (...args: never[]) =>
          up ? (method as (...a: never[]) => unknown).apply(target, args) : new Promise(() => undefined)
      },
    })
    const toolHost = createServerPool(
      [{ kind: 'http', name: 'files', isShared: true, url: faultyAddress, headers: {} }],
      {
        open: (one, opening) => connectServer({ fetch: server.fetchFrom(gone.signal), env: {} }, one, opening),
        monotonic: () => clock.monotonic(),
        after: (ms, task) => clock.after(ms, task),
        markOf: (one) => one,
        log: () => {},
      },
    )
    const harness = createChatHarness(store, { newId: () => `s${seed}-${(ids += 1)}`, toolHost }, clock)
    for (let count = 0; count < 60; count += 1) {
      const lines = Array.from({ length: 1 + below(3) }, () => `CALL ${tool?.name} {"path":"/${seed}-${(calls += 1)}"}`)
      harness.script([{ text: lines.join('\n') }, { finish: 'stop' }])
    }
    return {
      harness,
      gone: gone.signal,
      isUp: () => up,
      kill() {
        up = false
        gone.abort()
      },
    }
  }
  type Node = ReturnType<typeof startNode>
  let nodes: readonly Node[] = [startNode(), startNode()]
  /** The proxy in front sends chats to the first running node, and relayed calls to any. */
  const upNodes = () => nodes.filter((node) => node.isUp())

  async function relayCall(
    isAlive: () => boolean,
    conversationId: string,
    body: RelayCall,
    signal: AbortSignal,
  ): Promise<ApiAnswer<Response>> {
    const fate = nextFate()
    await waitFor(clock, fate === 'slow' ? delay() * 20 : delay())
    const node = pick(upNodes())
    if (!isAlive()) return new Promise(() => undefined)
    if (!node || fate === 'request-lost') return unreachable()
    const gone = new AbortController()
    if (signal.aborted) gone.abort()
    signal.addEventListener('abort', () => gone.abort(), { once: true })
    const ask = (to: Node, leaves: AbortSignal) => to.harness.service.relay(owner, conversationId, body, leaves)
    // A proxy that got no answer tries another node.
    if (fate === 'twice') void ask(pick(upNodes()), gone.signal).catch(() => undefined)
    const died = new Promise<'died'>((resolve) => node.gone.addEventListener('abort', () => resolve('died')))
    let lines
    try {
      lines = await Promise.race([ask(node, gone.signal), died])
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const { code, reason, values, message } = error
      if (fate === 'answer-lost') return unreachable()
      return failed(code, code === 'not-found' ? 404 : 409, { reason, values, message })
    }
    await waitFor(clock, delay())
    if (lines === 'died' || fate === 'answer-lost' || fate === 'hangs') {
      gone.abort()
      return unreachable()
    }
    const reading = lines
    let waiting: readonly RelayLine[] = []
    let sent = 0
    const stream = new ReadableStream<Uint8Array>({
      async pull(out) {
        const broken = fate === 'slow' && sent === 1
        const next = waiting.length > 0 || broken ? null : await Promise.race([reading.next(), died])
        if (next === 'died' || broken || gone.signal.aborted) {
          gone.abort()
          return out.error(new TypeError('network error'))
        }
        if (next?.done) return out.close()
        if (next) waiting = next.value
        const [line, ...more] = waiting
        waiting = more
        sent += 1
        out.enqueue(new TextEncoder().encode(`${JSON.stringify(line)}\n`))
      },
      async cancel() {
        gone.abort()
        await reading.return(undefined)
      },
    })
    return ok(new Response(stream))
  }

  const tabs: FaultTab[] = []
  const remotes = new Map<object, () => void>()
  const open = (path: string, session = new Map<string, string>()): FaultTab => {
    const gone = new AbortController()
    let remote: { readonly server: RemoteServer; readonly met: Promise<unknown> } | null = null
    const isAlive = () => !gone.signal.aborted
    /** As the page does it: connects before the first call, and again after a sign-in. */
    const connection = async (): Promise<RemoteServer> => {
      if (!remote) {
        const made = relayed
          ? createRelayedServer(
              {
                operatorTools: () => Promise.resolve(err(refused)),
                operatorOffer: () => Promise.resolve(err(refused)),
                relayCall: (id, body, signal) => relayCall(isAlive, id, body, signal),
                answerRelay: () => Promise.resolve(err(refused)),
              },
              'nod:files',
              () => Promise.resolve(),
            )
          : openWorker(faultyAddress, server.fetchFrom(gone.signal), signedIn)
        remote = { server: made, met: relayed ? Promise.resolve() : made.connect(faultyAddress, 'auto') }
      }
      await remote.met
      return remote.server
    }
    const execute: ToolRuntime['execute'] = async (name, args, options) => {
      const { origin } = options
      if (origin?.kind === 'call') {
        const key = `${origin.messageId}:${origin.slot}#${origin.attempt}`
        executions.set(key, (executions.get(key) ?? 0) + 1)
      }
      const carrier = await connection()
      const carried = toolOfRegistered(
        tool,
        runRemote(
          () => carrier,
          ofServer,
          () => clock.monotonic(),
          chatId,
        ),
      )
      return executeTool(
        carried,
        args,
        { ...options, vfs: createMemoryVfs(), connectedTools: () => [tool] } as unknown as RunPorts,
        { monotonic: () => clock.monotonic(), name },
      )
    }
    const tab = openFaultTab(
      {
        browser,
        clock,
        newId: () => `c${seed}-${(ids += 1)}`,
        api: (alive) => {
          const api = createFaultyApi({
            owner,
            clock,
            service: () => upNodes()[0]?.harness.service ?? null,
            isOnline: () => true,
            isAlive: alive,
            nextFate,
            delay,
          })
          // As the page reads a view: with the tools of the sets that the chat refers to.
          const view: typeof api.view = async (id) => {
            const read = await api.view(id)
            return read.ok ? ok({ ...read.value, tools: [tool] }) : read
          }
          return { ...api, view }
        },
        announce(from, id) {
          for (const other of tabs) if (other.self !== from) queueMicrotask(() => other.chat.changedElsewhere(id))
        },
        takes: () => 0,
        onExecute: () => {},
        tools: [...lineTools, tool],
        execute,
      },
      session,
    )
    remotes.set(tab.self, () => {
      remote?.server.close()
      remote = null
    })
    gones.set(tab.self, gone)
    tab.address.path = path
    tab.chat.start()
    tab.chat.actions.open(chatId)
    tabs.push(tab)
    return tab
  }
  const gones = new Map<object, AbortController>()
  const replace = (tab: FaultTab) => {
    faults += 1
    gones.get(tab.self)?.abort()
    remotes.get(tab.self)?.()
    tabs.splice(tabs.indexOf(tab), 1)
    open(tab.address.path, tab.session)
  }

  const first = nodes[0] as Node
  const chatId = `chat-of-${seed}`
  const { service: setUp } = first.harness
  await setUp.saveToolServer(owner, serverId, {
    url: relayed ? 'nod:files' : faultyAddress,
    name: 'Files',
    prefix: 'files',
    isOn: true,
    era: null,
    declined: [],
    tools: [faultyTool],
  })
  await setUp.create(owner, { id: chatId, settings: {} })
  await setUp.useToolServers(owner, chatId, [serverId])

  /** The calls of the last reply that may be decided, or run again after a sign-in. */
  const lastReply = (tab: FaultTab) => {
    const { path, conversation, calls: rows, amendments } = tab.view()
    const reply = path.at(-1)
    if (!isHere(reply) || reply.role !== 'assistant' || !conversation || reply.outcome !== 'finished') return null
    const listed = tab.readCalls(reply, conversation.settings.tools, amendments.get(reply.id) ?? [])
    const slots = listed.map(({ slot }) => slot)
    return {
      reply,
      slots,
      undecided: slots.filter((slot) => !rows.has(`${reply.id}:${slot}`)),
      rowOf: (slot: number) => rows.get(`${reply.id}:${slot}`),
    }
  }
  const run = (tab: FaultTab) => {
    const last = lastReply(tab)
    if (last && last.undecided.length > 0) tab.calls.run(last.reply.id, last.undecided)
  }
  const goOn = (tab: FaultTab) => {
    const last = lastReply(tab)
    if (last) tab.calls.notifyModel(last.reply.id, ...last.slots)
  }
  const all: Readonly<Record<string, (tab: FaultTab) => void>> = {
    run,
    'run again': run,
    'run in every tab': () => tabs.forEach(run),
    'run, then leave': (tab) => {
      run(tab)
      tab.leave()
      replace(tab)
    },
    'go on': goOn,
    deny: (tab) => {
      const last = lastReply(tab)
      if (last && last.undecided.length > 0) tab.calls.deny(last.reply.id, last.undecided.slice(0, 1), 'no')
    },
    'stop a call': (tab) => {
      const last = lastReply(tab)
      const [slot] = last?.slots ?? []
      if (last && slot !== undefined) tab.calls.stop(last.reply.id, slot)
    },
    reload: (tab) => {
      tab.leave()
      replace(tab)
    },
    crash: (tab) => {
      tab.crash()
      replace(tab)
    },
    'second tab': (tab) => {
      if (tabs.length < 3) open(tab.address.path)
    },
    'sign in again': () => {
      if (relayed) return
      signedIn.set(faultyAddress, server.signIn())
      remotes.forEach((close) => close())
    },
    'a node dies': () => {
      faults += 1
      const node = pick(upNodes())
      node.kill()
      nodes = [...nodes.filter((one) => one !== node), startNode()]
    },
    say: (tab) => void tab.send(`go on ${(ids += 1)}`),
  }
  const names = Object.keys(all)
  open(`/c/${chatId}`)
  await clock.pass(200)
  all['say']?.(tabs[0] as FaultTab)
  await clock.pass(2_000)
  for (let step = 0; step < steps; step += 1) {
    const name = pick(names)
    deeds.push(name)
    all[name]?.(pick(tabs))
    await clock.pass(pick([0, 1, 20, 120, 700, 4_000, 40_000]))
  }

  // Everything works again: nothing new is started, and started work is settled.
  whole = true
  for (let turn = 0; turn < 6; turn += 1) {
    for (const tab of tabs) {
      tab.chat.refresh()
      await clock.pass(20_000)
      const last = lastReply(tab)
      const begun = last?.slots.filter((slot) => {
        const row = last.rowOf(slot)
        return row?.decision === 'run' && row.outcome === null
      })
      if (last && begun && begun.length > 0) tab.calls.notifyModel(last.reply.id, ...begun)
    }
    await clock.pass(60_000)
  }

  const wrong: string[] = []
  const { calls: rows, messages } = await (upNodes()[0] as Node).harness.service.view(owner, chatId)
  const argumentOf = ({ messageId, slot }: CallRecord): string => {
    const reply = messages.find(({ id }) => id === messageId)
    const line = reply?.role === 'assistant' ? reply.text.split('\n').filter((one) => one.startsWith('CALL'))[slot] : ''
    return /"path":"([^"]+)"/.exec(line ?? '')?.[1] ?? ''
  }
  const textForSummary = ({ messageId, slot }: CallRecord) =>
    messages
      .flatMap((one) => (one.role === 'user' ? one.results : []))
      .find((one) => one.messageId === messageId && one.slot === slot) ?? null
  const started = rows.filter(({ decision }) => decision === 'run')
  for (const row of started) {
    const path = argumentOf(row)
    const times = server.ran.get(path) ?? 0
    // If the user sends a message while a call runs, the model learns that; how the call ended may never be known.
    const outcome = row.outcome ?? row.stopped?.outcome ?? textForSummary(row)
    if (!outcome) {
      wrong.push(`${path} was started, and nobody learns how it ended`)
      continue
    }
    const { status, result } = outcome
    if (status === 'completed') {
      if (times !== 1) wrong.push(`${path} is completed and ran ${times} times`)
      if (result !== `kept ${path}`) wrong.push(`${path} has the result ${JSON.stringify(result)}`)
      continue
    }
    const { error, note } = isJsonObject(result) ? result : {}
    const words = error ?? note
    const sentence = typeof words === 'string' ? words : ''
    if (sentence.length < 10) wrong.push(`${path} ended as ${status} without a sentence: ${JSON.stringify(result)}`)
    if (/changed files/.test(sentence))
      wrong.push(`${path} went to a server, and is described as a change of files: ${sentence}`)
    if (times > 0 && SAYS_NO.test(sentence)) wrong.push(`${path} ran, and is said not to have: ${sentence}`)
  }
  for (const [path, times] of server.ran) {
    if (times > 1) wrong.push(`${path} was sent ${times} times`)
    if (!started.some((row) => argumentOf(row) === path)) wrong.push(`${path} ran, and nobody started it`)
  }
  for (const [key, times] of executions) if (times > 1) wrong.push(`${key} was carried out ${times} times`)
  for (const tab of tabs) {
    gones.get(tab.self)?.abort()
    remotes.get(tab.self)?.()
    tab.crash()
  }
  for (const node of upNodes()) node.kill()
  return { faults: faults + server.faults(), calls: started.length, ran: server.ran.size, wrong, deeds }
}

const refused = { code: 'not-found', status: 404, reason: '', values: {}, message: '' } as const
