import { chatError } from '@/lib/words/chat'
import type { CreateConversation, ModelsResponse } from '@/lib/conversation/api-types'
import type { Conversation } from '@/lib/conversation/conversation'
import { defaultSettings } from '@/lib/conversation/settings'
import type { StoredConversation } from '@/lib/store/store'
import type { ChatServicePorts } from './chat-service-ports'

export interface StoredConversations {
  /** With no dead run in it; rejects with AppError `not-found`. */
  readonly load: (owner: string, id: string) => Promise<StoredConversation>
  create(owner: string, request: CreateConversation): Promise<Conversation>
  /** The conversation that a message goes to; the one that it begins is made for it. */
  loadOrCreate(owner: string, request: CreateConversation): Promise<StoredConversation>
  listModels(signal: AbortSignal): Promise<ModelsResponse>
}

const MODELS_TIMEOUT_MS = 5_000

export const noSuchChat = () => chatError('not-found', 'chat.not-here')

export function createStoredConversations({
  store,
  runLog,
  clock,
  models,
}: Pick<ChatServicePorts, 'store' | 'runLog' | 'clock' | 'models'>): StoredConversations {
  async function load(owner: string, id: string): Promise<StoredConversation> {
    const stored = await find(owner, id)
    if (!stored) throw noSuchChat()
    return stored
  }

  async function find(owner: string, id: string): Promise<StoredConversation | null> {
    const stored = await store.loadConversation(owner, id)
    const runId = stored?.activeRunId ?? null
    const isDead = runId !== null && (await runLog.recoverIfDead({ owner, runId }))
    return isDead ? find(owner, id) : stored
  }

  /** Models are listed by servers that may be away: the wait is bounded. */
  const listModels = (signal: AbortSignal) =>
    models.list(AbortSignal.any([signal, AbortSignal.timeout(MODELS_TIMEOUT_MS)]))

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

  return {
    load,
    create,
    listModels,
    async loadOrCreate(owner, request) {
      const stored = await find(owner, request.id)
      if (stored) return stored
      const conversation = await create(owner, request)
      // Somebody else may have made it in between, and gone on.
      if (conversation.headId !== null) return load(owner, request.id)
      return { conversation, messages: [], calls: [], amendments: [], grants: [], tools: [], activeRunId: null }
    },
  }
}
