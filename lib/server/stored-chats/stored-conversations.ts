import { makeError } from '@/lib/i18n/t'
import type { CreateConversation, ModelsResponse } from '@/lib/shared/conversation/wire/api-types'
import type { Conversation } from '@/lib/shared/conversation/conversation'
import { defaultSettings } from '@/lib/shared/conversation/settings/settings'
import type { BranchPart, StoredBranch, StoredConversation } from '@/lib/server/store/ports/conversation-store'
import type { ChatServicePorts } from './chat-service-ports'

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
    { id, settings }: CreateConversation,
    isFollowed = false,
  ): Promise<Conversation> {
    const model = settings?.model ?? (await listModels(new AbortController().signal)).defaultModel
    const now = clock.now()
    const begun = {
      id,
      title: '',
      settings: { ...defaultSettings(model), ...settings },
      settingsProblem: null,
      headId: null,
      createdAt: now,
      updatedAt: now,
    }
    return store.createConversation(owner, begun, limits.fair.maxBytesPerOwner, { isFollowed })
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
      // Somebody else may have made it in between, and gone on.
      if (conversation.headId !== null) return orThrow(findBranch(owner, request.id, part))
      const none = { messages: [], calls: [], amendments: [], grants: [], tools: [], answers: [] }
      return { conversation, ...none, activeRunId: null, older: 0, openEnds: 0 }
    },
  }
}
