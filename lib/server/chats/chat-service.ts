import { createToolServerService, type ToolServerService } from './tool-server-service'
import { createRelayService, type RelayService } from './relay-service'
import { createWebService, type WebService } from './web-service'
import { makeError } from '@/lib/i18n/t'
import {
  type ChatRequest,
  type ChatResponse,
  type CreateConversation,
  type ModelsResponse,
  type PatchConversation,
  type UseView,
  runsIn,
  temporaryChatMs,
} from '@/lib/shared/conversation/wire/api-types'
import type { Conversation, ConversationSummary, MessageImage } from '@/lib/shared/conversation/conversation'
import { type ListFilter, listPage, type ListPosition } from '@/lib/shared/conversation/search/list-filter'
import { newestLeafOfTree, treeOf } from '@/lib/shared/conversation/message-tree'
import type { ImageKey, StoredConversation } from '@/lib/server/store/ports/conversation-store'
import { createAppend, budgetLines } from './append-message'
import { createCallService, type CallService } from './call-service'
import { createCallLinkService } from './look-service'
import type { CallLinkService } from './review-links'
import type { ChatServicePorts } from '../stored-chats/chat-service-ports'
import { type Visitor, anonymousVisitor } from '../quota/rate'
import { createRunStarter } from './chat-service-start'
import { createReplyReadings } from '@/lib/shared/prompt/reply-readings'
import { createRunViews, type RunViews } from './run-views'
import { createChatListService, type ChatListService, createTitleService, type TitleService } from './chat-list-service'
import {
  createStoredConversations,
  noSuchChat,
  createViewService,
  type ViewService,
} from '../stored-chats/stored-conversations'
import { createTabRuns, type TabRuns } from './tab-runs'
import {
  createTransferService,
  type TransferService,
  createShareService,
  type ShareService,
} from '../sharing/sharing-service'
import { createTrialService, type TrialService } from './trial-service'
import type { RegisteredTool, ToolToRegister } from '@/lib/shared/conversation/settings/registered-tool'
import type { Preset, PresetChange, PresetToAdd, ChatSetup } from '@/lib/shared/conversation/settings/preset'
import type {
  Memory,
  MemoryChange,
  MemoryPlace,
  Project,
  ProjectChange,
  ProjectToAdd,
} from '@/lib/shared/conversation/settings/project'
import { dayOf } from '@/lib/server/store/ports/quotas'
import { everybody } from '@/lib/server/store/ports/store'

/** The interface for the routes. Every method rejects with AppError sentences; ids of other owners are `not-found`. */
export interface ChatService
  extends
    CallService,
    CallLinkService,
    RunViews,
    TabRuns,
    ToolService,
    ShareService,
    ChatListService,
    PresetService,
    ProjectService,
    ToolServerService,
    RelayService,
    WebService,
    TitleService,
    TransferService,
    TrialService,
    UseService,
    ViewService {
  /** One page of the list: the chats after `after`. */
  list(owner: string, query: string, after?: ListPosition, filter?: ListFilter): Promise<readonly ConversationSummary[]>
  create(owner: string, request: CreateConversation): Promise<Conversation>
  patch(owner: string, id: string, patch: PatchConversation): Promise<Conversation>
  remove(owner: string, id: string): Promise<void>
  /** `visitor`: the caller for rate limits; omitted: a visitor without an account, from an unknown address. */
  append(owner: string, request: ChatRequest, visitor?: Visitor): Promise<ChatResponse>
  /** The version of an attached picture that is sent to models. */
  image(owner: string, id: string, key: ImageKey): Promise<MessageImage>
  models(signal: AbortSignal): Promise<ModelsResponse>
  /** How many replies this process writes now, and its maximum. */
  load(): { readonly replies: number; readonly maxReplies: number }
  /** Resolves when this process does not write the run (any more). */
  settled(runId: string): Promise<void>
  /**
   * Accepts no new runs once `entrance` is closed (omitted: it is closed already), lets running ones finish for
   * `graceMs`, then ends them as interrupted and keeps their text.
   */
  drain(graceMs: number, entrance?: Promise<void>): Promise<void>
}

export function createChatService(ports: ChatServicePorts): ChatService {
  const { store, runLog, clock, limits } = ports
  const readings = createReplyReadings(ports.builder)
  const chats = createStoredConversations(ports)
  const runs = createRunStarter(ports, readings)
  const views = createViewService(ports, chats)
  const transfer = createTransferService(ports, { chats, readings, views })
  const trials = createTrialService(ports, runs)
  const calls = createCallService(ports, { load: chats.loadBranch, readings })
  const { load } = chats

  return {
    list: (owner, query, after, filter) => store.listConversations(owner, query, listPage, after, filter),
    create: (owner, request) => chats.create(owner, request),
    ...views,

    async patch(owner, id, { title, settings, headId, headStays = false, marks, temporary }) {
      const leaf = headId === undefined ? undefined : newHead(await load(owner, id), headId, headStays)
      const changes = {
        ...(title !== undefined && { title }),
        ...(settings && { settings }),
        ...(leaf !== undefined && { headId: leaf }),
        ...(marks !== undefined && { marks }),
        ...(temporary && { temporaryUntil: temporary === 'keep' ? null : clock.now() + temporaryChatMs }),
      }
      const changed = await store.updateConversation(owner, id, changes, clock.now(), limits.fair.maxBytesPerOwner)
      if (!changed) throw noSuchChat()
      return changed
    },

    async remove(owner, id) {
      const stored = await store.loadBranch(owner, id, { head: null })
      if (!stored) throw noSuchChat()
      for (const runId of runsIn(stored)) await runLog.stop({ owner, runId })
      await store.deleteConversation(owner, id)
    },

    append: createAppend(ports, { chats, runs, readings }),

    async image(owner, id, key) {
      const [image] = await store.loadImages(owner, id, [key])
      if (!image) throw makeError('not-found', 'chat.no-picture')
      return image
    },

    models: (signal) => chats.listModels(signal),
    load: runs.load,
    settled: runs.settled,
    drain: (graceMs, entrance) => runs.drain(graceMs, entrance),

    ...createRunViews(ports, runs),
    ...createTabRuns(ports, { chats, readings }),
    ...transfer,
    ...createShareService(ports, transfer),
    ...calls,
    ...createCallLinkService(ports, { load: chats.loadBranch, readings, calls }),
    ...createToolService(ports),
    ...createChatListService(ports),
    ...createPresetService(ports),
    ...createProjectService(ports),
    ...createToolServerService(ports),
    ...createRelayService(ports, { load: chats.loadBranch, readings }),
    ...createWebService(ports, { load: chats.loadBranch, readings }),
    ...trials,
    ...createTitleService(chats, trials),
    ...createUseService(ports),
  }
}

function newHead({ messages, activeRunId }: StoredConversation, headId: string | null, stays: boolean): string | null {
  if (headId === null && !stays) throw makeError('bad-request', 'chat.head-not-said')
  if (headId !== null && !messages.some((message) => message.id === headId)) {
    throw makeError('not-found', 'chat.no-message')
  }
  // Otherwise the running reply would be hidden, and could not be stopped.
  if (stays && activeRunId !== null) {
    throw makeError('run-in-progress', 'chat.writing-here')
  }
  return headId === null || stays ? headId : newestLeafOfTree(treeOf(messages), headId)
}

interface ToolService {
  /** Adds or replaces a chat's own tool; returns all tools of the chat. */
  registerTool(owner: string, conversationId: string, tool: ToolToRegister): Promise<readonly RegisteredTool[]>
  /** Removes a tool; returns the remaining ones. */
  removeTool(owner: string, conversationId: string, name: string): Promise<readonly RegisteredTool[]>
}

/** Tools that belong to a single chat. Rejects with AppError `conflict` if Nod has a tool with that name. */
function createToolService({
  store,
  clock,
  limits,
  isFreeToolName,
}: Pick<ChatServicePorts, 'store' | 'clock' | 'limits' | 'isFreeToolName'>): ToolService {
  return {
    async registerTool(owner, conversationId, tool) {
      if (!isFreeToolName(tool.name)) {
        throw makeError('conflict', 'chat.tool-name-taken', { name: tool.name })
      }
      const registered = { ...tool, origin: 'registered' } as const
      return store.registerTool(owner, conversationId, registered, clock.now(), limits.fair.maxBytesPerOwner)
    },
    removeTool: (owner, conversationId, name) => store.removeTool(owner, conversationId, name, clock.now()),
  }
}

/** Presets for new chats, and the default for all of them. */
interface PresetService {
  presets(owner: string): Promise<readonly Preset[]>
  /** A repeated id returns the stored preset. */
  addPreset(owner: string, preset: PresetToAdd): Promise<Preset>
  changePreset(owner: string, id: string, change: PresetChange): Promise<Preset>
  /** Removing a missing preset is not an error. */
  removePreset(owner: string, id: string): Promise<void>
  orderPresets(owner: string, ids: readonly string[]): Promise<readonly Preset[]>
  /** Null: new chats use Nod's defaults. */
  newChats(owner: string): Promise<ChatSetup | null>
  setNewChats(owner: string, setup: ChatSetup | null): Promise<void>
}

function createPresetService({ store }: Pick<ChatServicePorts, 'store'>): PresetService {
  return {
    presets: (owner) => store.listPresets(owner),
    addPreset: (owner, preset) => store.addPreset(owner, preset),
    async changePreset(owner, id, change) {
      const changed = await store.changePreset(owner, id, change)
      if (!changed) throw makeError('not-found', 'chat.no-preset')
      return changed
    },
    removePreset: (owner, id) => store.removePreset(owner, id),
    orderPresets: (owner, ids) => store.orderPresets(owner, ids),
    newChats: (owner) => store.loadDefaults(owner),
    setNewChats: (owner, setup) => store.saveDefaults(owner, setup),
  }
}

interface ProjectService {
  projects(owner: string): Promise<readonly Project[]>
  /** A repeated id returns the stored project. */
  addProject(owner: string, project: ProjectToAdd): Promise<Project>
  changeProject(owner: string, id: string, change: ProjectChange): Promise<Project>
  /** Its chats stay. Removing a missing project is not an error. */
  removeProject(owner: string, id: string): Promise<void>
  /** Temporary chats have none. */
  memory(owner: string, place: MemoryPlace): Promise<Memory>
  changeMemory(owner: string, place: MemoryPlace, change: MemoryChange): Promise<Memory>
}

function createProjectService({
  store,
  clock,
  limits,
}: Pick<ChatServicePorts, 'store' | 'clock' | 'limits'>): ProjectService {
  const writing = () => ({ now: clock.now(), maxBytes: limits.fair.maxBytesPerOwner })
  const here = <T>(found: T | null): T => {
    if (found === null) throw makeError('not-found', 'store.no-project')
    return found
  }
  async function projectOf(owner: string, place: MemoryPlace): Promise<string | null> {
    if (!('chat' in place)) return place.project
    const chat = await store.loadBranch(owner, place.chat, { head: null })
    if (!chat) throw noSuchChat()
    const { temporary, project } = chat.conversation
    if (temporary) throw makeError('bad-request', 'store.memory-temporary')
    if (place.kind === 'user') return null
    if (project === undefined) throw makeError('not-found', 'store.memory-no-project')
    return project
  }
  return {
    projects: (owner) => store.listProjects(owner),
    addProject: (owner, project) => store.addProject(owner, project, writing()),
    changeProject: async (owner, id, change) => here(await store.changeProject(owner, id, change, writing())),
    removeProject: (owner, id) => store.removeProject(owner, id),
    memory: async (owner, place) => here(await store.loadMemory(owner, await projectOf(owner, place))),
    changeMemory: async (owner, place, change) =>
      here(await store.changeMemory(owner, await projectOf(owner, place), change, writing())),
  }
}

interface UseService {
  /** What an owner has left today, and how much they store. */
  use(owner: string, visitor?: Visitor): Promise<UseView>
  /**
   * Stops all replies of an owner and hides everything of theirs at once, for good; the sweep deletes the rows. Returns
   * the number of chats. Can be repeated after a failure.
   */
  removeAll(owner: string): Promise<number>
}

function createUseService({
  store,
  runLog,
  clock,
  limits,
}: Pick<ChatServicePorts, 'store' | 'runLog' | 'clock' | 'limits'>): UseService {
  const { fair } = limits

  async function removeAllOf(owner: string): Promise<number> {
    for (const run of await store.runningOf(owner)) await runLog.stop(run)
    return store.eraseOwner(owner)
  }

  return {
    async use(owner, visitor = anonymousVisitor) {
      const now = clock.now()
      const lines = budgetLines(owner, visitor, fair.budgets, null)
      const taken = await store.budgetsTaken(lines, now)
      return {
        ...(await store.ownerData(owner)),
        budgets: lines.map(({ owner: whose, models, tokensPerDay: limit }, at) => ({
          models,
          mine: whose !== everybody,
          limit,
          left: Math.max(0, limit - (taken[at] ?? 0)),
        })),
        resetsAt: dayOf(now).endsAt,
        maxBytes: fair.maxBytesPerOwner,
        retentionDays: fair.retentionDays,
      }
    },

    async removeAll(owner) {
      let gone = 0
      // Chats with a running reply move to the account later, so they are deleted too.
      for (const one of [...(await store.comingTo(owner)), owner]) gone += await removeAllOf(one)
      return gone
    },
  }
}
