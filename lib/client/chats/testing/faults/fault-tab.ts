import { noMarks } from '@/lib/shared/origin/branch-origin'
import { createConversationActions } from '../../conversation-actions'
import { createDeliverer } from '../../deliver'
import { readRun } from '../../../api/run-reader'
import { waitFor } from '@/lib/server/runs/clock'
import type { CallOutcome } from '@/lib/shared/conversation/call-record'
import { lineBuilder, lineTools } from '@/lib/server/chats/testing/line-strategy'
import type { ManualClock } from '@/lib/server/chats/testing/manual-clock'
import { createCallSecrets } from '@/lib/client/secrets/call-secrets'
import { createMemoryVault } from '@/lib/client/secrets/vault'
import { createCallController } from '@/lib/client/calls/call-controller'
import { createWebCallLocks } from '@/lib/client/calls/call-locks.browser'
import { callsOf } from '@/lib/shared/calls/message-calls'
import type { ToolSpec } from '@/lib/protocols/types/tool-context-def'
import type { ToolRuntime } from '@/lib/shared/tools/tool'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import { exclusively, openTab } from '@/lib/client/wiring/page/tab.browser'
import { ok } from '@/lib/base/result'
import type { NodApi } from '../../../api/nod-api'
import type { CallControllerPorts } from '@/lib/client/calls/call-ports'
import { createChatController } from '../../controller'
import { createDrafts } from '../../../outbox/drafts'
import { createOlderMessages } from '../../../state/older-messages'
import { createOutbox, outboxPrefix } from '../../../outbox/outbox'
import { createClientStore } from '../../../state/store'
import { turnWith } from '../../../state/turn'
import type { FaultBrowser } from './fault-browser'
import { viewOf, draftIdOf } from '../../../state/open-conversations'

export interface FaultTabPorts {
  readonly browser: FaultBrowser
  readonly clock: ManualClock
  readonly newId: () => string
  readonly api: (isAlive: () => boolean) => NodApi
  readonly announce: (from: object, conversationId: string | null) => void
  /** How long a tool takes, milliseconds. */
  readonly takes: () => number
  readonly onExecute: (key: string) => void
  /** Left out: the tools of `lineTools`. */
  readonly tools?: readonly ToolSpec[]
  /** Left out: every call finishes after a while. */
  readonly execute?: ToolRuntime['execute']
}

/** The page of one tab: the real client and the real calls in a small browser. `session`: its `sessionStorage`. */
export function openFaultTab(ports: FaultTabPorts, session: Map<string, string>) {
  const { browser, clock, newId, tools = lineTools } = ports
  const self = {}
  let alive = true
  const isAlive = () => alive
  const never = new Promise<never>(() => undefined)
  const locks = browser.locksOf(self, isAlive)
  const storage = browser.storageOf(self, isAlive)
  const pageEvents = new Map<string, () => void>()
  const sessionStorage = {
    getItem: (key: string) => session.get(key) ?? null,
    setItem: (key: string, value: string) => void session.set(key, value),
    removeItem: (key: string) => void session.delete(key),
  }
  const page = { addEventListener: (name: string, listener: () => void) => void pageEvents.set(name, listener) }
  const schedule = (task: () => void, ms: number) => clock.after(ms, () => alive && task())
  const wait = async (ms: number, signal?: AbortSignal) => {
    await waitFor(clock, ms, signal)
    if (!alive) return never
  }

  const tab = openTab({ session: sessionStorage, locks, newId, page: page as unknown as Window })
  const store = createClientStore()
  const drafts = createDrafts({ storage, schedule, tab })
  const outbox = createOutbox(storage)
  const api = ports.api(isAlive)
  const address = { path: '/' }
  const readCalls: CallControllerPorts['readCalls'] = (message, _config, amendments) =>
    callsOf(message, amendments, {
      parse: ({ strategy, text }) => lineBuilder.parseResponse(strategy, text, tools),
      readCall: (call) => lineBuilder.readCall(call, tools),
    })
  const chat = createChatController({
    store,
    api,
    drafts,
    outbox,
    canSetCookies: () => true,
    exclusively: (name, work) => exclusively(locks, name, work),
    pictures: (_, files) => Promise.resolve(ok(files)),
    turnOf: (view) =>
      Promise.resolve(
        turnWith(view, (reply) =>
          view.conversation
            ? readCalls(reply, view.conversation.settings.tools, view.amendments.get(reply.id) ?? [])
            : [],
        ),
      ),
    newId,
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    wait,
    schedule,
    navigate: (path) => void (address.path = path),
    announce: (id) => alive && ports.announce(self, id),
    deleteFiles: () => Promise.resolve(),
    storeFiles: () => Promise.resolve(null),
    openPage: () => {},
    deleted: () => {},
    createConversationActions,
    loadDeliverer: () => Promise.resolve({ createDeliverer }),
    readRun,
  })
  const older = createOlderMessages({ store, messages: (id, ids) => api.messages(id, ids) })
  const vfs = createMemoryVfs()
  const vault = createMemoryVault()
  const calls = createCallController({
    runnerId: newId(),
    newId,
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    wait,
    getState: store.getState,
    dispatch: store.dispatch,
    readCalls,
    api,
    toolOf: () => undefined,
    secrets: createCallSecrets(
      () => vault,
      () => Promise.resolve(new Map()),
    ),
    postResults: (conversationId, append) => api.chat({ conversationId, append }),
    pictures: (_, files) => Promise.resolve(ok(files)),
    marksOf: () => Promise.resolve(noMarks),
    locks: createWebCallLocks(locks),
    runtime: () =>
      Promise.resolve({
        vfs,
        async execute(...asked: Parameters<ToolRuntime['execute']>) {
          const [, , { origin }] = asked
          if (origin?.kind === 'call') ports.onExecute(`${origin.messageId}:${origin.slot}#${origin.attempt}`)
          if (ports.execute) return ports.execute(...asked)
          await wait(ports.takes())
          return { status: 'completed', result: 'done', durationMs: 1, console: [], displays: [] } as CallOutcome
        },
      } as unknown as ToolRuntime),
    joinRun: (id, response) => alive && chat.joinRun(id, response),
  })
  browser.onStorage(self, (key) => {
    if (key.startsWith(outboxPrefix)) outbox.changedElsewhere()
  })

  const end = () => {
    alive = false
    browser.end(self)
  }
  return {
    self,
    session,
    store,
    drafts,
    outbox,
    chat,
    calls,
    address,
    readCalls,
    older,
    view: () => viewOf(store.getState()),
    /** What the composer's field shows. */
    field: () => drafts.get(draftIdOf(store.getState())),
    type(text: string): void {
      drafts.set(draftIdOf(store.getState()), text)
      drafts.flush()
    },
    /** Like the composer: a refused text stays its draft. */
    send(text: string): boolean {
      const field = draftIdOf(store.getState())
      void chat.actions.append(text)
      return drafts.get(field) === ''
    },
    /** Reloads or closes the page, which is notified. */
    leave() {
      drafts.flush()
      pageEvents.get('pagehide')?.()
      end()
    },
    /** Ends the tab without notification. */
    crash: end,
  }
}

export type FaultTab = ReturnType<typeof openFaultTab>
