import type { LanguageModelV4 } from '@ai-sdk/provider'
import { AppError } from '@/lib/base/app-error'
import type { JsonObject } from '@/lib/base/json'
import type { ModelFailure, ModelId, ModelInfo } from '@/lib/models/model'
import type { AppendAnswer, ImageKey, Store, StoredConversation } from '@/lib/store/store'
import type { CallSegment, ParsedReply } from '@/lib/strategies/segment'
import type { CallToWrite, StrategyId, ToolSpec } from '@/lib/strategies/tool-context-def'
import type { ToolFacts } from '@/lib/calls/approval-policy'
import type { Amended, MessageCall, ReadWrittenCall } from '@/lib/calls/message-calls'
import type {
  ChatRequest,
  ChatResponse,
  ConversationExport,
  ConversationView,
  CreateConversation,
  ImportConversation,
  LogPage,
  ModelsResponse,
  PatchConversation,
} from '@/lib/conversation/api-types'
import { planAppend } from './chat-service-append'
import { callActions, type CallActions, type CallReader } from './chat-service-calls'
import { createRunStarter } from './chat-service-start'
import type { Clock } from './clock'
import { planImport } from './conversation-import'
import { takenSettings } from '@/lib/conversation/import-settings'
import type {
  AssistantMessage,
  CallAmendment,
  Conversation,
  ConversationSummary,
  LogEntry,
  MessageImage,
  ToolCallConfig,
} from '@/lib/conversation/conversation'
import { newestLeaf } from '@/lib/conversation/message-path'
import type { buildModelInput, PromptBuilder } from './model-messages'
import type { RunEvent } from '@/lib/conversation/run-event'
import type { RunLog } from './run-log'
import { defaultSettings } from '@/lib/conversation/settings'
import { createTurns } from './turns'
import { createOwnerSlots } from './owner-slots'

export interface ChatServicePorts {
  readonly store: Store
  readonly runLog: RunLog
  readonly clock: Clock
  readonly newId: () => string
  readonly models: {
    list(signal: AbortSignal): Promise<ModelsResponse>
    languageModel(id: ModelId): LanguageModelV4
    info(id: ModelId): ModelInfo
    /** Whether the model is sent pictures; asks its server where only that knows. Never rejects. */
    seesImages(id: ModelId): Promise<boolean>
  }
  readonly builder: PromptBuilder & {
    parseResponse(id: StrategyId, text: string, tools: readonly ToolSpec[]): ParsedReply
    isStrategyId(value: unknown): value is StrategyId
    /** Reads a call that the user wrote in place of one of the model's. */
    readCall(call: CallToWrite, tools: readonly ToolSpec[]): ReturnType<ReadWrittenCall>
  }
  /** All tools that models may call; those that the config does not offer are flagged `disabled`. */
  readonly discoverTools: (config: ToolCallConfig) => readonly ToolSpec[]
  /** What the rules of approval need to know of a tool, whether it is offered or not. */
  readonly toolFacts: (name: string) => ToolFacts | undefined
  readonly messageCalls: (reply: ParsedReply, amended?: Amended) => readonly MessageCall[]
  readonly describeProblem: (call: CallSegment, tools: readonly ToolSpec[], strategy: StrategyId) => string
  readonly callHash: (messageId: string, slot: number, name: string, args: JsonObject) => Promise<string>
  readonly buildModelInput: typeof buildModelInput
  /** Result frames of one message: unforgeable and the same every time. */
  readonly boundary: (messageId: string) => string
  readonly describeFailure: (error: unknown, model: ModelInfo, wrote: boolean) => ModelFailure
  readonly log: (message: string, error: unknown) => void
  /** Lets what else the process has to do have its turn. */
  readonly breathe: () => Promise<void>
  /** Longest silence of a model. */
  readonly stallMs: number
  /** Replies that this process writes at the same time. */
  readonly maxRuns: number
  readonly maxRunsPerOwner: number
  /** Views of running replies that one owner may hold open in this process. */
  readonly maxStreamsPerOwner: number
}

/** What the routes call. Every method rejects with AppError sentences; foreign ids are `not-found`. */
export interface ChatService extends CallActions {
  list(owner: string, query: string): Promise<readonly ConversationSummary[]>
  create(owner: string, request: CreateConversation): Promise<Conversation>
  view(owner: string, id: string): Promise<ConversationView>
  patch(owner: string, id: string, patch: PatchConversation): Promise<Conversation>
  remove(owner: string, id: string): Promise<void>
  /** All of it, oldest first. */
  log(owner: string, id: string): Promise<readonly LogEntry[]>
  /** The entries above `after`, as many as make a page. */
  logPage(owner: string, id: string, after: number): Promise<LogPage>
  /** All of a conversation but its files. */
  export(owner: string, id: string): Promise<ConversationExport>
  /** Makes a conversation of an export; the same id again gives the one that was made. */
  import(owner: string, request: ImportConversation): Promise<Conversation>
  /** To be asked before the body of an import is read: one of an owner at a time, few in all. Gives what ends the turn. */
  admitImport(owner: string, signal: AbortSignal): Promise<() => void>
  append(owner: string, request: ChatRequest): Promise<ChatResponse>
  /** The picture that models are sent of an attachment. */
  image(owner: string, id: string, key: ImageKey): Promise<MessageImage>
  /** Rejects before the first event when the run is unknown or foreign. */
  events(owner: string, runId: string, after: number, signal: AbortSignal): Promise<AsyncGenerator<RunEvent>>
  stop(owner: string, runId: string): Promise<void>
  models(signal: AbortSignal): Promise<ModelsResponse>
  /** Resolves when the run is not written by this process (any more). */
  settled(runId: string): Promise<void>
  /** Takes no new runs, lets running ones finish for `graceMs`, then ends them as interrupted with their text kept. */
  drain(graceMs: number): Promise<void>
}

const LIST_LIMIT = 500
const LOG_PAGE = 200
const MODELS_TIMEOUT_MS = 5_000
/** An append that lost a race against a click is planned again on what stands now. */
const APPEND_TRIES = 4

/**
 * The same events; `close` is called once, however the reading ends: also when it never began, which a generator's own
 * `finally` would not see.
 */
function untilClosed(
  events: AsyncGenerator<RunEvent, void, undefined>,
  signal: AbortSignal,
  close: () => void,
): AsyncGenerator<RunEvent, void, undefined> {
  let open = true
  const once = () => {
    if (open) close()
    open = false
    signal.removeEventListener('abort', once)
  }
  signal.addEventListener('abort', once)
  const guarded = async (step: Promise<IteratorResult<RunEvent, void>>) => {
    try {
      const result = await step
      if (result.done === true) once()
      return result
    } catch (error) {
      once()
      throw error
    }
  }
  return {
    next: () => guarded(events.next()),
    return: () => guarded(events.return()),
    throw: (error) => guarded(events.throw(error)),
    [Symbol.asyncIterator]() {
      return this
    },
    async [Symbol.asyncDispose]() {
      await this.return()
    },
  }
}

/** The same events; the last one says how the chat stands in the list by then. */
async function* withSummary(
  events: AsyncGenerator<RunEvent, void, undefined>,
  summarise: () => Promise<ConversationSummary | null>,
): AsyncGenerator<RunEvent, void, undefined> {
  for await (const event of events) {
    const summary = event.type === 'end' ? await summarise().catch(() => null) : null
    yield event.type === 'end' && summary ? { ...event, summary } : event
  }
}

export function createChatService(ports: ChatServicePorts): ChatService {
  const { store, runLog, clock } = ports
  const runs = createRunStarter(ports)
  const streams = createOwnerSlots(ports.maxStreamsPerOwner)
  const imports = createTurns({ total: 2, waitingOfOwner: 4, waiting: 16, name: 'imports' })

  const notFound = () => new AppError('not-found', 'There is no chat under this address.')

  /** The conversation with no dead run in it. */
  async function load(owner: string, id: string): Promise<StoredConversation> {
    const stored = await store.loadConversation(owner, id)
    if (!stored) throw notFound()
    return withoutDeadRun(owner, stored)
  }

  async function withoutDeadRun(owner: string, stored: StoredConversation): Promise<StoredConversation> {
    const { activeRunId, conversation } = stored
    return activeRunId !== null && (await runLog.recoverIfDead(activeRunId)) ? load(owner, conversation.id) : stored
  }

  function callReader(stored: StoredConversation): CallReader {
    const tools = ports.discoverTools(stored.conversation.settings.tools)
    const read: ReadWrittenCall = (call) => ports.builder.readCall(call, tools)
    return (message, amendments = stored.amendments.filter(({ messageId }) => messageId === message.id)) =>
      message.outcome === 'finished' && message.toolsEnabled
        ? ports.messageCalls(ports.builder.parseResponse(message.strategy, message.text, tools), { amendments, read })
        : []
  }

  function newHead(
    { messages, activeRunId }: StoredConversation,
    headId: string | null,
    stays: boolean,
  ): string | null {
    if (headId === null && !stays) throw new AppError('bad-request', 'Which message should be shown was not said.')
    if (headId !== null && !messages.some((message) => message.id === headId)) {
      throw new AppError('not-found', 'This message is not in this chat.')
    }
    // The reply that is being written would be left out of what is shown, and nobody could stop it there.
    if (stays && activeRunId !== null) {
      throw new AppError('run-in-progress', 'A reply is being written in this chat. Stop it first, or wait.')
    }
    return headId === null || stays ? headId : newestLeaf(messages, headId)
  }

  async function loadLog(owner: string, id: string): Promise<readonly LogEntry[]> {
    const entries = await store.loadLog(owner, id)
    if (!entries) throw notFound()
    return entries
  }

  /** Models are listed by servers that may be away: the wait is bounded. */
  const listModels = (signal: AbortSignal) =>
    ports.models.list(AbortSignal.any([signal, AbortSignal.timeout(MODELS_TIMEOUT_MS)]))

  async function create(owner: string, { id, settings }: CreateConversation): Promise<Conversation> {
    const model = settings?.model ?? (await listModels(new AbortController().signal)).defaultModel
    const now = clock.now()
    return store.createConversation(owner, {
      id,
      title: '',
      settings: { ...defaultSettings(model), ...settings },
      settingsProblem: null,
      headId: null,
      createdAt: now,
      updatedAt: now,
    })
  }

  /** The conversation that a message goes to; the one that it begins is made for it. */
  async function loadOrBegin(owner: string, id: string, settings: ChatRequest['create']): Promise<StoredConversation> {
    if (settings === undefined) return load(owner, id)
    const stored = await store.loadConversation(owner, id)
    if (stored) return withoutDeadRun(owner, stored)
    const conversation = await create(owner, { id, settings })
    // Somebody else may have made it in between, and gone on.
    if (conversation.headId !== null) return load(owner, id)
    return { conversation, messages: [], calls: [], amendments: [], grants: [], activeRunId: null }
  }

  async function answerTo(owner: string, answer: AppendAnswer): Promise<ChatResponse> {
    const { conversation, reply, userMessage, calls } = answer
    const { id, title, updatedAt } = conversation
    const known = answer.replayed ? await store.summariseConversation(owner, id) : null
    return {
      runId: reply.runId,
      message: userMessage,
      replyId: reply.id,
      calls,
      conversation,
      summary: known ?? { id, title, updatedAt, running: true, waitingCalls: 0 },
    }
  }

  async function append(owner: string, request: ChatRequest): Promise<ChatResponse> {
    const { conversationId, append: wanted, create: settings } = request
    const repeated = await store.findAppend(owner, conversationId, wanted.id)
    if (repeated) return answerTo(owner, repeated)
    for (let tries = 1; ; tries += 1) {
      const admission = runs.admit(owner)
      let started = false
      try {
        const stored = await loadOrBegin(owner, conversationId, settings)
        const answer = await store.append(owner, conversationId, wanted.id, plan(stored), clock.now())
        if (!answer.replayed) {
          runs.start(owner, conversationId, answer.reply, admission)
          started = true
        }
        return await answerTo(owner, answer)
      } catch (error) {
        const raced = error instanceof AppError && error.code === 'call-not-open' && wanted.kind === 'user'
        if (!raced || tries === APPEND_TRIES) throw error
      } finally {
        if (!started) admission.leave()
      }
    }

    function plan(stored: StoredConversation) {
      const { tools: config } = stored.conversation.settings
      return planAppend(stored, wanted, {
        readCalls: callReader(stored),
        describeProblem: (call, message) => ports.describeProblem(call, ports.discoverTools(config), message.strategy),
        newId: ports.newId,
        now: clock.now(),
      })
    }
  }

  return {
    list: (owner, query) => store.listConversations(owner, query, LIST_LIMIT),

    create,

    view: (owner, id): Promise<ConversationView> => load(owner, id),

    async patch(owner, id, { title, settings, headId, headStays = false }) {
      const leaf = headId === undefined ? undefined : newHead(await load(owner, id), headId, headStays)
      const changes = {
        ...(title !== undefined && { title }),
        ...(settings && { settings }),
        ...(leaf !== undefined && { headId: leaf }),
      }
      const changed = await store.updateConversation(owner, id, changes, clock.now())
      if (!changed) throw notFound()
      return changed
    },

    async remove(owner, id) {
      const stored = await store.loadConversation(owner, id)
      if (!stored) throw notFound()
      if (stored.activeRunId !== null) await runLog.stop(owner, stored.activeRunId)
      await store.deleteConversation(owner, id)
    },

    log: loadLog,

    async logPage(owner, id, after) {
      // One more than is given says whether there are more.
      const found = await store.loadLog(owner, id, { after, limit: LOG_PAGE + 1 })
      if (!found) throw notFound()
      const entries = found.slice(0, LOG_PAGE)
      return { entries, next: found.length > LOG_PAGE ? (entries.at(-1)?.seq ?? null) : null }
    },

    async export(owner, id) {
      const { conversation, messages, calls, amendments, grants } = await load(owner, id)
      const images = await store.loadImages(owner, id, 'all')
      return {
        format: 'nod-conversation',
        version: 1,
        exportedAt: clock.now(),
        conversation,
        messages,
        calls,
        amendments,
        grants,
        log: await loadLog(owner, id),
        ...(images.length > 0 && { images }),
      }
    },

    async import(owner, { id, export: exported, take = [] }) {
      const { defaultModel } = await listModels(new AbortController().signal)
      const settings = takenSettings(exported.conversation.settings, defaultSettings(defaultModel), take)
      const tools = ports.discoverTools(settings.tools)
      const read: ReadWrittenCall = (call) => ports.builder.readCall(call, tools)
      const callsOf = (message: AssistantMessage, amendments: readonly CallAmendment[]) =>
        message.outcome === 'finished' && message.toolsEnabled
          ? ports.messageCalls(ports.builder.parseResponse(message.strategy, message.text, tools), { amendments, read })
          : []
      const now = clock.now()
      const imported = await planImport(id, exported, settings, {
        newId: ports.newId,
        now,
        callHash: ports.callHash,
        readCalls: callsOf,
        breathe: ports.breathe,
      })
      return store.importConversation(owner, imported, now)
    },

    admitImport: (owner, signal) => imports.take(owner, signal),

    append,

    async image(owner, id, key) {
      const [image] = await store.loadImages(owner, id, [key])
      if (!image) throw new AppError('not-found', 'There is no such picture.')
      return image
    },

    async events(owner, runId, after, signal) {
      const run = await store.loadRun(owner, runId)
      if (!run) throw new AppError('not-found', 'There is no such reply.')
      if (runs.isDraining() && !runLog.active.has(runId)) {
        throw new AppError('unavailable', 'The server is being restarted. The reply goes on; look again in a moment.')
      }
      const free = streams.take(owner)
      if (!free) {
        const message = `${ports.maxStreamsPerOwner} views of running replies are open, and no more can be at a time. Close a tab of this chat.`
        throw new AppError('rate-limited', message)
      }
      const summary = () => store.summariseConversation(owner, run.conversationId)
      return untilClosed(withSummary(runLog.read(runId, after, signal), summary), signal, free)
    },

    async stop(owner, runId) {
      if (!(await store.loadRun(owner, runId))) throw new AppError('not-found', 'There is no such reply.')
      await runLog.stop(owner, runId)
      await runLog.recoverIfDead(runId)
    },

    models: listModels,
    settled: runs.settled,
    drain: (graceMs) => runs.drain(graceMs),

    ...callActions({ ...ports, load, callReader }),
  }
}
