import { makeError } from '@/lib/i18n/t'
import {
  type CreateConversation,
  type ModelsResponse,
  type ConversationView,
  type MessagesPage,
  type ChangedMessagesPage,
  type ReplyChoice,
  type ChatRequest,
  runsIn,
  temporaryChatMs,
} from '@/lib/shared/conversation/wire/api-types'
import type { DecideCall } from '@/lib/shared/conversation/wire/call-requests'
import { hasContext, memoryTool } from '@/lib/shared/conversation/settings/project'
import type {
  Conversation,
  ConversationSettings,
  AssistantMessage,
  Message,
} from '@/lib/shared/conversation/conversation'
import type { CallAmendment } from '@/lib/shared/conversation/call-record'
import { defaultSettings } from '@/lib/shared/conversation/settings/settings'
import type { BranchPart, StoredBranch, StoredConversation } from '@/lib/server/store/ports/conversation-store'
import type { ChatServicePorts } from './chat-service-ports'
import { callHash } from '@/lib/shared/calls/call-hash'
import type { MessageCall } from '@/lib/shared/calls/message-calls'
import type { ReplyReadings } from '@/lib/shared/prompt/reply-readings'
import { hasText } from '@/lib/shared/conversation/outline'
import type { PromptWindow } from '@/lib/shared/prompt/prompt-budget'

export interface StoredConversations {
  /** First ends a dead run; rejects with AppError `not-found`. */
  readonly load: (owner: string, id: string) => Promise<StoredConversation>
  create(owner: string, request: CreateConversation): Promise<Conversation>
  /** The same for one branch, or the end of it; the cost depends only on the result. */
  readonly loadBranch: (owner: string, id: string, part: BranchPart) => Promise<StoredBranch>
  /** The branch that a message is appended to; creates the conversation if the message starts it. */
  loadOrCreate(owner: string, request: CreateConversation, part: BranchPart): Promise<StoredBranch>
  listModels(signal: AbortSignal): Promise<ModelsResponse>
}

const MODELS_TIMEOUT_MS = 5_000

/** A temporary chat gets no memory and changes none. */
const withoutMemory = (settings: ConversationSettings): ConversationSettings => ({
  ...settings,
  tools: { ...settings.tools, toolToggles: { ...settings.tools.toolToggles, [memoryTool]: false } },
})

/** Ends dead runs of the chat; true: there was one. */
async function hasDeadRun(
  runLog: ChatServicePorts['runLog'],
  owner: string,
  view: Parameters<typeof runsIn>[0],
): Promise<boolean> {
  let found = false
  for (const runId of runsIn(view)) found = (await runLog.recoverIfDead({ owner, runId })) || found
  return found
}

export const noSuchChat = () => makeError('not-found', 'chat.not-here')

export function createStoredConversations({
  store,
  runLog,
  clock,
  models,
  limits,
}: Pick<ChatServicePorts, 'store' | 'runLog' | 'clock' | 'models' | 'limits'>): StoredConversations {
  async function alive<Stored extends StoredConversation>(
    owner: string,
    read: () => Promise<Stored | null>,
  ): Promise<Stored | null> {
    const stored = await read()
    return stored && (await hasDeadRun(runLog, owner, stored)) ? alive(owner, read) : stored
  }

  async function orThrow<Stored>(found: Promise<Stored | null>): Promise<Stored> {
    const stored = await found
    if (!stored) throw noSuchChat()
    return stored
  }

  const findBranch = (owner: string, id: string, part: BranchPart) =>
    alive(owner, () => store.loadBranch(owner, id, part))

  /** Model servers may be down, so the wait is bounded. */
  async function listModels(signal: AbortSignal): Promise<ModelsResponse> {
    const list = await models.list(AbortSignal.any([signal, AbortSignal.timeout(MODELS_TIMEOUT_MS)]))
    return { ...list, problems: list.problems.map(({ message }) => message), problemsTold: list.problems }
  }

  async function create(
    owner: string,
    { id, settings, temporary, project }: CreateConversation,
    isFollowed = false,
  ): Promise<Conversation> {
    const model = settings?.model ?? (await listModels(new AbortController().signal)).defaultModel
    const now = clock.now()
    const started = {
      id,
      title: '',
      settings: temporary
        ? withoutMemory({ ...defaultSettings(model), ...settings })
        : { ...defaultSettings(model), ...settings },
      settingsProblem: null,
      headId: null,
      createdAt: now,
      updatedAt: now,
      ...(project !== undefined && { project }),
    }
    const temporaryUntil = temporary ? now + temporaryChatMs : null
    return store.createConversation(owner, started, limits.fair.maxBytesPerOwner, { isFollowed, temporaryUntil })
  }

  return {
    load: (owner, id) => orThrow(alive(owner, () => store.loadConversation(owner, id))),
    loadBranch: (owner, id, part) => orThrow(findBranch(owner, id, part)),
    create: (owner, request) => create(owner, request),
    listModels,
    async loadOrCreate(owner, request, part) {
      const stored = await findBranch(owner, request.id, part)
      if (stored) return stored
      const conversation = await create(owner, request, true)
      // Another request may have created it meanwhile, and continued it.
      if (conversation.headId !== null) return orThrow(findBranch(owner, request.id, part))
      const none = { messages: [], calls: [], amendments: [], grants: [], tools: [], answers: [] }
      const context = hasContext(conversation) ? await store.promptContext(owner, request.id) : null
      return { conversation, ...none, ...(context && { context }), activeRunId: null, older: 0, openEnds: 0 }
    },
  }
}

/** Loads a branch of a conversation, or the end of one; rejects with AppError `not-found`. */
export type LoadBranch = StoredConversations['loadBranch']

/** A reply with its calls and amendments, and the chat's data outside of messages. */
export const justReply = (messageId: string): BranchPart => ({ head: messageId, limit: 1 })

/** Reads the calls of replies in one conversation, with the stored amendments or with given ones. */
export type CallReader = (message: AssistantMessage, amendments?: readonly CallAmendment[]) => readonly MessageCall[]

export function createCallReader(
  stored: StoredConversation,
  discoverTools: ChatServicePorts['discoverTools'],
  readings: ReplyReadings,
): CallReader {
  const tools = discoverTools(stored.conversation.settings.tools, stored.tools)
  return (message, amendments = stored.amendments) => readings.callsOf(message, tools, amendments)
}

type CallName = Pick<DecideCall, 'messageId' | 'slot' | 'callHash'>

/**
 * The effective call that a request names. Refused if it is not the call that the request means, or if it cannot run. A
 * denial may name a call that cannot run.
 */
export async function findCall(
  stored: StoredConversation,
  readCalls: CallReader,
  { messageId, slot, callHash: claimed }: CallName,
  isNo = false,
): Promise<{ readonly message: AssistantMessage; readonly found: MessageCall }> {
  const message = replyOf(stored, messageId)
  const found = readCalls(message).find((call) => call.slot === slot)
  if (!found || !(found.runnable || isNo)) throw makeError('call-not-open', whyNot(message, found))
  const hash = await callHash(message.id, slot, found.call.name, found.call.arguments)
  if (hash !== claimed) {
    throw makeError('conflict', 'chat.call.not-the-stored')
  }
  return { message, found }
}

export function replyOf(stored: StoredConversation, messageId: string): AssistantMessage {
  const message = stored.messages.find(({ id }) => id === messageId)
  if (message?.role !== 'assistant') throw makeError('not-found', 'chat.reply-not-here')
  return message
}

/** Why a requested call does not run. */
export function whyNot(message: AssistantMessage, call: MessageCall | undefined) {
  if (message.outcome === null) return 'chat.call.still-written'
  if (message.outcome !== 'finished') return 'chat.call.unfinished'
  if (!call) return 'chat.call.none'
  return 'chat.call.not-runnable'
}

export interface ViewService {
  /** A whole conversation; with `last`, its outline and at most this many messages at the end of the shown branch. */
  view(owner: string, id: string, last?: number): Promise<ConversationView>
  /** Messages with their calls, in the requested order; if they are too large for one response, it ends earlier. */
  messages(owner: string, id: string, ids: readonly string[]): Promise<MessagesPage>
  /** Deletes messages with everything that belongs to them, or restores them. Returns the changed messages. */
  setDeleted(owner: string, id: string, messageIds: readonly string[], deleted: boolean): Promise<ChangedMessagesPage>
}

/** Of a response, including calls: with the outline of some thousand messages it stays below a megabyte. */
const PAGE_BYTES = 700_000

/** What a page shows of a conversation. */
export function createViewService(
  { store, runLog, clock }: Pick<ChatServicePorts, 'store' | 'runLog' | 'clock'>,
  chats: Pick<StoredConversations, 'load' | 'loadBranch'>,
): ViewService {
  async function endOf(owner: string, id: string, last: number): Promise<ConversationView> {
    const view = await store.loadView(owner, id, { count: last, bytes: PAGE_BYTES })
    if (!view) throw noSuchChat()
    if (await hasDeadRun(runLog, owner, view)) return endOf(owner, id, last)
    const summary = await store.summariseConversation(owner, id)
    return summary ? { ...view, summary } : view
  }

  async function messages(owner: string, id: string, ids: readonly string[]): Promise<MessagesPage> {
    const page = await store.loadMessages(owner, id, ids, { count: ids.length, bytes: PAGE_BYTES })
    if (!page) throw noSuchChat()
    return page
  }

  return {
    view: async (owner, id, last) =>
      forPage(last === undefined ? await chats.load(owner, id) : await endOf(owner, id, last)),

    messages,

    async setDeleted(owner, id, messageIds, deleted) {
      // Ends a reply whose process is gone; otherwise it could not be deleted.
      await chats.loadBranch(owner, id, justReply(messageIds[0] ?? ''))
      const change = deleted ? store.deleteMessages : store.restoreMessages
      const { ids, headId } = await change(owner, id, messageIds, clock.now())
      return { ...(await messages(owner, id, ids)), headId }
    },
  }
}

/** For pages, which load the tools of a set once, by its hash, and the prompt context only when they show a prompt. */
function forPage(stored: ConversationView & Pick<StoredConversation, 'context'>): ConversationView {
  const view = { ...stored, ...(stored.tools && { tools: stored.tools.filter(({ remote }) => remote === undefined) }) }
  delete view.context
  return view
}

/** What an append is planned on, and its model prompted with: the end of the branch that it continues, or all of it. */
interface AppendLine {
  /**
   * The branch's messages, the children of the last one, and the message whose attachments are kept; with the calls of
   * the last message, or all calls if the model has not received some outcomes yet.
   */
  readonly stored: StoredBranch
  /** Of the model that will answer; null: nothing is left out. */
  readonly window: PromptWindow | null
}

/** Enough for most appends. */
const FIRST = 40

type Chats = Pick<StoredConversations, 'loadBranch' | 'loadOrCreate'>

/**
 * Loads what an append needs. If the model's window will not hold the beginning of the branch anyway, only the end is
 * loaded, at least since the user's last message, from which rounds of calls are counted.
 */
export async function loadAppendLine(
  chats: Chats,
  windowOf: (modelId: string) => Promise<PromptWindow | null>,
  owner: string,
  { conversationId: id, append, create, temporary, project }: ChatRequest,
): Promise<AppendLine> {
  const part = { head: append.parentId, callsOf: 'head', answers: true } as const
  const started = { ...(temporary && { temporary }), ...(project !== undefined && { project }) }
  const request: CreateConversation | null = create ? { id, settings: create, ...started } : null
  const load = (limit?: number) => {
    const wanted = { ...part, ...(limit !== undefined && { limit }) }
    return request ? chats.loadOrCreate(owner, request, wanted) : chats.loadBranch(owner, id, wanted)
  }
  const as = append.kind === 'reply' ? append.as : undefined
  let stored = chosen(await load(FIRST), as)
  const window = await windowOf(stored.conversation.settings.model)
  if (stored.openEnds > 0) {
    stored = chosen(await chats.loadBranch(owner, id, { head: append.parentId, answers: true }), as)
  } else if (stored.older > 0 && window === null) stored = chosen(await load(), as)
  while (stored.older > 0 && !(hasBeginning(stored.messages) && holdsMarked(stored))) {
    stored = await loadOlder(chats, owner, stored, stored.messages.length)
  }
  const kept = append.kind === 'user' ? append.keepAttachmentsOf : undefined
  const beside = kept === undefined ? [] : (await chats.loadBranch(owner, id, { head: kept, limit: 1 })).messages
  return { stored: { ...stored, answers: [...stored.answers, ...beside] }, window }
}

/** The chat as if its settings had this model and this format. */
const chosen = (stored: StoredBranch, as: ReplyChoice | undefined): StoredBranch => {
  if (!as) return stored
  const { conversation } = stored
  return { ...stored, conversation: { ...conversation, settings: { ...conversation.settings, ...as } } }
}

/** The branch with this many more messages, and their amendments. */
export async function loadOlder(
  chats: Chats,
  owner: string,
  stored: StoredBranch,
  count: number,
): Promise<StoredBranch> {
  const [first] = stored.messages
  if (!first) return stored
  const before = { before: first.id, limit: count, callsOf: 'head' } as const
  const { messages, amendments, older } = await chats.loadBranch(owner, stored.conversation.id, before)
  return {
    ...stored,
    messages: [...messages, ...stored.messages],
    amendments: [...amendments, ...stored.amendments],
    older: messages.length === 0 ? 0 : older,
  }
}

/** Compacted messages are not needed, but earlier pinned ones are; where those are is known only after loading them. */
function holdsMarked({ conversation: { marks }, messages }: StoredBranch): boolean {
  if (!marks) return true
  const ids = new Set(messages.map(({ id }) => id))
  const last = marks.compactions.at(-1)
  return marks.pinned.every((id) => ids.has(id)) && (!last || ids.has(last.through))
}

/** It contains and begins with a user message, so a prompt can begin there too. */
function hasBeginning(messages: readonly Message[]): boolean {
  const lastUserText = messages.findLastIndex((message) => message.role === 'user' && hasText(message))
  return messages.some((message, at) => at <= lastUserText && message.role === 'user' && message.results.length === 0)
}
