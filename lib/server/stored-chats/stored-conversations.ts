import { makeError } from '@/lib/i18n/t'
import type {
  CreateConversation,
  ModelsResponse,
  DecideCall,
  ConversationView,
  MessagesPage,
  ChangedMessagesPage,
  ReplyChoice,
  ChatRequest,
} from '@/lib/shared/conversation/wire/api-types'
import { temporaryChatMs } from '@/lib/shared/conversation/wire/api-types'
import { hasContext, memoryTool } from '@/lib/shared/conversation/settings/project'
import type {
  Conversation,
  ConversationSettings,
  AssistantMessage,
  CallAmendment,
  Message,
} from '@/lib/shared/conversation/conversation'
import { defaultSettings } from '@/lib/shared/conversation/settings/settings'
import type { BranchPart, StoredBranch, StoredConversation } from '@/lib/server/store/ports/conversation-store'
import type { ChatServicePorts } from './chat-service-ports'
import { callHash } from '@/lib/shared/calls/call-hash'
import type { MessageCall } from '@/lib/shared/calls/message-calls'
import type { ReplyReadings } from '@/lib/shared/prompt/reply-readings'
import { hasText } from '@/lib/shared/conversation/outline'
import type { PromptWindow } from '@/lib/shared/prompt/prompt-budget'

export interface StoredConversations {
  /** With no dead run in it; rejects with AppError `not-found`. */
  readonly load: (owner: string, id: string) => Promise<StoredConversation>
  create(owner: string, request: CreateConversation): Promise<Conversation>
  /** The same of one line of it, or the end of that: it costs what it gives. */
  readonly loadBranch: (owner: string, id: string, part: BranchPart) => Promise<StoredBranch>
  /** The branch of a conversation to which a message goes; the conversation that it begins is made for it. */
  loadOrCreate(owner: string, request: CreateConversation, part: BranchPart): Promise<StoredBranch>
  listModels(signal: AbortSignal): Promise<ModelsResponse>
}

const MODELS_TIMEOUT_MS = 5_000

/** A temporary chat is shown no memory and changes none. */
const withoutMemory = (settings: ConversationSettings): ConversationSettings => ({
  ...settings,
  tools: { ...settings.tools, toolToggles: { ...settings.tools.toolToggles, [memoryTool]: false } },
})

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
    const runId = stored?.activeRunId ?? null
    const isDead = runId !== null && (await runLog.recoverIfDead({ owner, runId }))
    return isDead ? alive(owner, read) : stored
  }

  async function orThrow<Stored>(found: Promise<Stored | null>): Promise<Stored> {
    const stored = await found
    if (!stored) throw noSuchChat()
    return stored
  }

  const findBranch = (owner: string, id: string, part: BranchPart) =>
    alive(owner, () => store.loadBranch(owner, id, part))

  /** Models are listed by servers that may be away: the wait is bounded. */
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
    const begun = {
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
    return store.createConversation(owner, begun, limits.fair.maxBytesPerOwner, { isFollowed, temporaryUntil })
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
      // Someone else may have made it in between, and gone on.
      if (conversation.headId !== null) return orThrow(findBranch(owner, request.id, part))
      const none = { messages: [], calls: [], amendments: [], grants: [], tools: [], answers: [] }
      const context = hasContext(conversation) ? await store.promptContext(owner, request.id) : null
      return { conversation, ...none, ...(context && { context }), activeRunId: null, older: 0, openEnds: 0 }
    },
  }
}

/** Loads a branch of a conversation, or the end of one; rejects with AppError `not-found`. */
export type LoadBranch = StoredConversations['loadBranch']

/** A reply with its calls and amendments, and what is beside the messages of its chat. */
export const justReply = (messageId: string): BranchPart => ({ head: messageId, limit: 1 })

/** Reads the calls of replies of one conversation, with its amendments or with others in their place. */
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
 * The effective call that a request names; refused when it is not the one that the request means, or cannot run. A no
 * needs no call that could.
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

/** The reason why a call that a request names does not run. */
export function whyNot(message: AssistantMessage, call: MessageCall | undefined) {
  if (message.outcome === null) return 'chat.call.still-written'
  if (message.outcome !== 'finished') return 'chat.call.unfinished'
  if (!call) return 'chat.call.none'
  return 'chat.call.not-runnable'
}

export interface ViewService {
  /** All of a conversation; with `last` its outline, and this many messages at most of the end of what is shown of it. */
  view(owner: string, id: string, last?: number): Promise<ConversationView>
  /** Messages with their calls, in the order asked for; where that is too much for one answer it ends before the last. */
  messages(owner: string, id: string, ids: readonly string[]): Promise<MessagesPage>
  /** Deletes messages with all that belongs to them, or restores them. Gives the messages that changed. */
  setDeleted(owner: string, id: string, messageIds: readonly string[], deleted: boolean): Promise<ChangedMessagesPage>
}

/** Of an answer, calls included: with the outline of some thousand messages it stays below a megabyte. */
const PAGE_BYTES = 700_000

/** What a page is shown of a conversation. */
export function createViewService(
  { store, runLog, clock }: Pick<ChatServicePorts, 'store' | 'runLog' | 'clock'>,
  chats: Pick<StoredConversations, 'load' | 'loadBranch'>,
): ViewService {
  async function endOf(owner: string, id: string, last: number): Promise<ConversationView> {
    const view = await store.loadView(owner, id, { count: last, bytes: PAGE_BYTES })
    if (!view) throw noSuchChat()
    const isDead = view.activeRunId !== null && (await runLog.recoverIfDead({ owner, runId: view.activeRunId }))
    if (isDead) return endOf(owner, id, last)
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
      // Ends a reply whose process is gone, which nobody could delete else.
      await chats.loadBranch(owner, id, justReply(messageIds[0] ?? ''))
      const change = deleted ? store.deleteMessages : store.restoreMessages
      const { ids, headId } = await change(owner, id, messageIds, clock.now())
      return { ...(await messages(owner, id, ids)), headId }
    },
  }
}

/** A page loads the tools of a set once, by its hash, and what prompts have beside settings when it shows one. */
function forPage(stored: ConversationView & Pick<StoredConversation, 'context'>): ConversationView {
  const view = { ...stored, ...(stored.tools && { tools: stored.tools.filter(({ remote }) => remote === undefined) }) }
  delete view.context
  return view
}

/** What an append is planned on and its model asked with: the end of the line that it continues, or all of it. */
interface AppendLine {
  /**
   * The line's messages, what answers its end, and the message whose attachments are kept; with the calls of its end, and all
   * where the model is still to hear of some.
   */
  readonly stored: StoredBranch
  /** Of the model that will answer; null: nothing is left out. */
  readonly window: PromptWindow | null
}

/** Enough for most of what is asked of a line's end. */
const FIRST = 40

type Chats = Pick<StoredConversations, 'loadBranch' | 'loadOrCreate'>

/**
 * Loads what an append needs. Of a line whose beginning the model's window will not hold anyway only the end is read, at
 * least from the person's last word on, by which rounds of calls are counted.
 */
export async function loadAppendLine(
  chats: Chats,
  windowOf: (modelId: string) => Promise<PromptWindow | null>,
  owner: string,
  { conversationId: id, append, create, temporary, project }: ChatRequest,
): Promise<AppendLine> {
  const part = { head: append.parentId, callsOf: 'head', answers: true } as const
  const begun = { ...(temporary && { temporary }), ...(project !== undefined && { project }) }
  const request: CreateConversation | null = create ? { id, settings: create, ...begun } : null
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
  while (stored.older > 0 && !(beginsSomewhere(stored.messages) && holdsMarked(stored))) {
    stored = await loadOlder(chats, owner, stored, stored.messages.length)
  }
  const kept = append.kind === 'user' ? append.keepAttachmentsOf : undefined
  const beside = kept === undefined ? [] : (await chats.loadBranch(owner, id, { head: kept, limit: 1 })).messages
  return { stored: { ...stored, answers: [...stored.answers, ...beside] }, window }
}

/** The chat as if its settings named this model and this format. */
const chosen = (stored: StoredBranch, as: ReplyChoice | undefined): StoredBranch => {
  if (!as) return stored
  const { conversation } = stored
  return { ...stored, conversation: { ...conversation, settings: { ...conversation.settings, ...as } } }
}

/** The line with so many more of its messages, and their amendments. */
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

/** What a compaction leaves out is not needed; what was pinned before it is, and where that is no one knows but by looking. */
function holdsMarked({ conversation: { marks }, messages }: StoredBranch): boolean {
  if (!marks) return true
  const ids = new Set(messages.map(({ id }) => id))
  const last = marks.compactions.at(-1)
  return marks.pinned.every((id) => ids.has(id)) && (!last || ids.has(last.through))
}

/** The person said something in it, and began with it: a prompt can begin there too. */
function beginsSomewhere(messages: readonly Message[]): boolean {
  const said = messages.findLastIndex((message) => message.role === 'user' && hasText(message))
  return messages.some((message, at) => at <= said && message.role === 'user' && message.results.length === 0)
}
