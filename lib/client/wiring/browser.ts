import type { loadMessagePictures } from './files/message-pictures.browser'
import { bothClocks } from '@/lib/base/clocks'
import {
  canSetCookies,
  localStorageOrNull,
  locksOrNull,
  openChannel,
  sessionStorageOrNull,
  type TabChannel,
} from '@/lib/base/features.browser'
import { withBase, withoutBase } from '@/lib/base/base-path'
import { err } from '@/lib/base/result'
import { loadPart, watchMissingParts } from '@/lib/i18n/load-part'
import type { CallActions } from '@/lib/client/chats/actions'
import { pageBroke, type ApiAnswer } from '@/lib/client/api/api-failure'
import { createChatController, type ChatController } from '@/lib/client/chats/controller'
import { createDrafts, type Drafts } from '@/lib/client/outbox/drafts'
import { createLazyCalls, notLoaded, createLazyConversationActions } from '@/lib/client/chats/lazy-parts'
import { createLazyRunReader } from '@/lib/client/api/lazy-run-reader'
import { createOutbox, outboxPrefix, storageSpace } from '@/lib/client/outbox/outbox'
import { staleDatabasesKey } from '@/lib/client/browser/stale-databases-key'
import type { PageBuild } from '@/lib/client/api/page-build'
import { createClientStore, type ClientStore } from '@/lib/client/state/store'
import { conversationsChannel, type TabMessage } from '@/lib/client/browser/tab-news'
import { createNodApi, ownModelsKey } from '@/lib/client/api/nod-api'
import { createQuestionList, type QuestionList } from '@/lib/client/calls/approval/approval-ui'
import type { InlineApproval } from '@/lib/client/calls/approval/inline-approval'
import { skillsKey, toolServersKey, watchToolsOfChats, connectedTools } from './tools/chat-tools.browser'
import type { ChatRequest } from '@/lib/shared/conversation/wire/api-types'
import type { ToolToRegister } from '@/lib/shared/conversation/settings/registered-tool'
import type { ToolExecutor } from '@/lib/shared/tools/tool-registry'
import { followAppearance } from './page/follow-appearance.browser'
import { fetchNoting, pageBuild, pageWho } from './nod-api.browser'
import { exclusively, openTab, followTemporaryChat } from './page/tab.browser'
import { viewOf, watchReplies } from '@/lib/client/state/open-conversations'

export interface BrowserChat {
  readonly store: ClientStore
  readonly chat: ChatController
  readonly calls: CallActions
  readonly drafts: Drafts
  /** Whether the server is newer than this page. */
  readonly build: PageBuild
  /** How the user is asked: the cards call `answer`; the dialog over the chat shows the questions of `dialog`. */
  readonly approvals: { readonly answer: InlineApproval['answer']; readonly dialog: QuestionList }
  /** Begins to load, and to listen to other tabs, the network and the window; once per page. */
  readonly start: () => void
  /** Gives a conversation a tool of its own, with its executor in this page (`lib/client/chats/register-tool.ts`). */
  readonly registerTool: (
    conversationId: string,
    tool: ToolToRegister,
    execute: ToolExecutor,
  ) => Promise<ApiAnswer<() => void>>
}

let page: BrowserChat | null = null

/** The page's only chat. On the server each render creates one and uses only its initial state. */
export function browserChat(): BrowserChat {
  if (typeof window === 'undefined') return createBrowserChat()
  page ??= createBrowserChat()
  return page
}

/** A model is offered only tools that this page can run. */
function connectedIn({ conversationId }: Pick<ChatRequest, 'conversationId'>): {
  readonly connected?: readonly string[]
} {
  const here = connectedTools.all().filter((one) => one.conversationId === conversationId)
  return here.length === 0 ? {} : { connected: here.map(({ name }) => name) }
}

/** Errors are sentences. */
async function loadPictures(...args: Parameters<typeof loadMessagePictures>): ReturnType<typeof loadMessagePictures> {
  try {
    const part = await loadPart(() => import('./files/message-pictures.browser'))
    return await part.loadMessagePictures(...args)
  } catch (error) {
    console.error('The pictures of a message could not be made.', error)
    return err(pageBroke().message)
  }
}

function createBrowserChat(): BrowserChat {
  const store = createClientStore()
  const shared = localStorageOrNull()
  const storage = shared && storageSpace(shared, pageWho)
  const tab = typeof window === 'undefined' ? null : thisTab()
  const drafts = createDrafts({ storage, schedule, ...(tab && { tab }) })
  const outbox = createOutbox(storage)
  let channel: TabChannel | null = null

  const hasServers = (conversationId: string) =>
    storage?.getItem(toolServersKey) != null ||
    store.getState().models?.hasToolServers === true ||
    (store.getState().open.get(conversationId)?.tools ?? []).some(({ remote }) => remote !== undefined)
  /** Their tools are sent with a message only if the server still lists them as approved. */
  async function prepareServers({ conversationId, create, temporary, project }: ChatRequest): Promise<void> {
    try {
      const { toolServers } = await loadPart(() => import('./tools/tool-servers.browser'))
      if (create) {
        const started = { ...(temporary && { temporary }), ...(project && { project }) }
        await api.createConversation({ id: conversationId, settings: create, ...started })
      }
      await toolServers.prepare(conversationId)
    } catch (error) {
      console.error('The tools of servers could not be made ready.', error)
    }
  }
  watchToolsOfChats((conversationId, tools) => store.dispatch({ type: 'tools-changed', conversationId, tools }))

  const api = createNodApi(fetchNoting, {
    wait,
    async withChat(body) {
      if (hasServers(body.conversationId)) await prepareServers(body)
      if (storage?.getItem(skillsKey) == null) return connectedIn(body)
      // Without them the message is sent as it is.
      const part = await loadPart(() => import('./skills.browser')).catch(() => null)
      return { ...connectedIn(body), ...(await part?.skillsOfRequest(store.getState(), body)) }
    },
    browserModels: {
      modelOf: ({ conversationId, create, append }) =>
        create?.model ??
        (append.kind === 'reply' ? append.as?.model : undefined) ??
        store.getState().open.get(conversationId)?.conversation?.settings.model ??
        '',
      hasOwn: () => storage?.getItem(ownModelsKey) != null,
      load: async () => {
        const { localModels } = await loadPart(() => import('./models/tab-models.browser'))
        return localModels((runId, doing) => store.dispatch({ type: 'run-doing', runId, doing }))
      },
    },
  })
  const announce = (conversationId: string | null): void => channel?.postMessage({ conversationId })
  const chat = createChatController({
    store,
    api,
    drafts,
    outbox,
    canSetCookies,
    exclusively: (name, work) => exclusively(locksOrNull(), name, work),
    pictures: loadPictures,
    async turnOf(view) {
      const [{ turnOf }, { toolRegistry }] = await Promise.all([
        loadPart(() => import('@/lib/client/state/turn')),
        loadPart(() => import('./tools/page-tools.browser')),
      ])
      return turnOf(view, toolRegistry.of(view.tools))
    },
    newId,
    ...bothClocks,
    wait,
    schedule,
    loadDeliverer: () => loadPart(() => import('@/lib/client/chats/deliver')),
    readRun: createLazyRunReader(() => loadPart(() => import('@/lib/client/api/run-reader'))),
    createConversationActions: createLazyConversationActions(() =>
      loadPart(() => import('@/lib/client/chats/conversation-actions')),
    ),
    navigate(path) {
      if (withoutBase(window.location.pathname) !== path) window.history.pushState(null, '', withBase(path))
    },
    announce,
    async deleteFiles(conversationId) {
      const { deleteConversationFiles } = await loadPart(() => import('./files/delete-files.browser'))
      await deleteConversationFiles(conversationId)
    },
    storeFiles: async (conversationId) =>
      (await loadPart(() => import('./tool-runtime.browser'))).storeFilesOf(conversationId),
    openPage: (path) => window.location.assign(withBase(path)),
    deleted: (ids) =>
      void loadPart(() => import('./deletions.browser')).then(({ deletionsOf }) => deletionsOf(chat.actions).add(ids)),
  })
  const raise = (message: string): void => {
    const conversationId = store.getState().shownId
    store.dispatch({ type: 'problem-raised', conversationId, problem: { message, canRetry: false } })
  }
  const calls = createLazyCalls(
    async () => (await loadCalls()).createCalls({ store, api, chat, announce, newId, wait }),
    raise,
  )

  const dialog = createQuestionList()
  const isWatched = watchReplies(store)
  const loadApprovals = once(async () => {
    const { startApprovals } = await loadCalls()
    return startApprovals({ store, calls: await calls.loaded(), dialog, isWatched })
  })
  const approvals = onFirstReply(store, loadApprovals)
  const answer: InlineApproval['answer'] = async (...decision) => {
    const loaded = await loadApprovals().catch(() => null)
    if (loaded) return loaded(...decision)
    // The request is dropped: a later try must not start an action that the user no longer expects.
    raise(notLoaded())
    return null
  }

  return {
    store,
    build: pageBuild,
    chat,
    calls,
    drafts,
    approvals: { answer, dialog },
    async registerTool(...tool) {
      const { registerInThisBrowser } = await loadPart(() => import('./tools/chat-tools.browser'))
      const { getState, dispatch } = store
      const changed = (conversationId: string) => {
        announce(conversationId)
        // Grants for another tool of that name have ended.
        chat.changedElsewhere(conversationId)
      }
      return registerInThisBrowser({ api, getState, dispatch, announce: changed }, ...tool)
    },
    start() {
      if (channel) return
      approvals.start()
      channel = openChannel(conversationsChannel)
      channel.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => {
        if (data.newChats || data.ownModels) void chat.actions.reloadModels()
        else chat.changedElsewhere(data.conversationId)
      })
      followAppearance()
      const refreshIfSeen = () => {
        if (document.visibilityState === 'visible') chat.refresh()
      }
      document.addEventListener('visibilitychange', refreshIfSeen)
      window.addEventListener('focus', refreshIfSeen)
      window.addEventListener('online', refreshIfSeen)
      window.addEventListener('offline', () => store.dispatch({ type: 'online-changed', online: false }))
      // A missing part may be missing permanently, because the server was updated.
      watchMissingParts(() => void fetchNoting(withBase('/api/health')).catch(() => undefined))
      window.addEventListener('pagehide', () => drafts.flush())
      followTemporaryChat({ store, api, newChat: chat.actions.newChat })
      window.addEventListener('storage', ({ key }) => {
        if (key === null || key.includes(outboxPrefix)) outbox.changedElsewhere()
      })
      if (shared?.getItem(staleDatabasesKey) != null) finishLeftDatabases()
      chat.start()
    },
  }
}

/**
 * Loads what only a chat with replies needs. Until then nothing runs automatically; a failed load is tried again with
 * the next reply, or with the first answer on a card.
 */
function onFirstReply(store: ClientStore, load: () => Promise<unknown>): { readonly start: () => void } {
  let loading = false
  let known: string | null = null
  return {
    start() {
      const unsubscribe = store.subscribe(() => {
        const { run, path } = viewOf(store.getState())
        const replyId = run?.replyId ?? path.findLast((row) => row.role === 'assistant')?.id ?? null
        if (replyId === null || replyId === known || loading) return
        known = replyId
        loading = true
        load()
          .then(unsubscribe, () => undefined)
          .finally(() => (loading = false))
      })
    },
  }
}

/** Shares the same work between callers; tries again after a failure. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null
  return () =>
    (running ??= work().catch((error: unknown) => {
      running = null
      throw error
    }))
}

function schedule(task: () => void, ms: number): () => void {
  const timer = setTimeout(task, ms)
  return () => clearTimeout(timer)
}

function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })
}

const loadCalls = () => loadPart(() => import('./tools/calls.browser'))

const finishLeftDatabases = (): void =>
  void loadPart(() => import('./files/stale-databases.browser')).then(
    (left) => left.finishLeftDatabases(),
    () => undefined,
  )

const thisTab = () => openTab({ session: sessionStorageOrNull(), locks: locksOrNull(), newId, page: window })

/** A UUID; `crypto.randomUUID` does not exist on plain http, where the page explains what is missing. */
function newId(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID()
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** The browser features that Nod's tools need; all are missing on plain http. */
export const isSecurePage = (): boolean =>
  window.isSecureContext && typeof crypto.subtle === 'object' && locksOrNull() !== null
