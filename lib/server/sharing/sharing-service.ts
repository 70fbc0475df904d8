import type { ImportConversation, LogPage } from '@/lib/shared/conversation/wire/api-types'
import type { Conversation, LogEntry, ToolCallConfig } from '@/lib/shared/conversation/conversation'
import { settingsOfSetup } from '@/lib/shared/conversation/settings/preset'
import { takenSettings } from '@/lib/shared/conversation/wire/import-settings'
import { defaultSettings } from '@/lib/shared/conversation/settings/settings'
import type { ChatServicePorts } from '../stored-chats/chat-service-ports'
import { planImport } from './conversation-import'
import { exportText, type ExportText } from './export-text'
import type { ReplyReadings } from '@/lib/shared/prompt/reply-readings'
import { noSuchChat, type StoredConversations, type ViewService } from '../stored-chats/stored-conversations'
import type { RegisteredTool } from '@/lib/shared/conversation/settings/registered-tool'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { exportOfReadable, inOneLine } from '@/lib/shared/conversation/readable/export-of-readable'
import { onlyShown, type SharedLink, type ShareChat } from '@/lib/shared/conversation/readable/readable-chat'
import type { SharedChat } from '@/lib/server/store/ports/store'
import { makeError } from '@/lib/i18n/t'

/** Limits work that should not run many times at once. */
export interface Turns {
  /**
   * Waits for the owner's turn; resolves with a function that ends it (call it once in every case). Rejects with
   * AppError `rate-limited` if the owner has too many waiting, `unavailable` if the process has, `bad-request` if the
   * signal aborts first.
   */
  take(owner: string, signal: AbortSignal): Promise<() => void>
}

interface Waiting {
  readonly owner: string
  readonly start: () => void
}

/** Runs `total` at a time, one per owner; limits how many may wait, per owner and in total. */
export function createTurns(limits: {
  readonly total: number
  readonly waitingOfOwner: number
  readonly waiting: number
  /** For messages: "imports". */
}): Turns {
  const running = new Set<string>()
  const queue: Waiting[] = []

  function next(): void {
    while (running.size < limits.total) {
      const at = queue.findIndex(({ owner }) => !running.has(owner))
      const [first] = at < 0 ? [] : queue.splice(at, 1)
      if (!first) return
      running.add(first.owner)
      first.start()
    }
  }

  return {
    take(owner, signal) {
      if (queue.filter((one) => one.owner === owner).length >= limits.waitingOfOwner) {
        return Promise.reject(makeError('rate-limited', 'chat.import.too-many-of-owner'))
      }
      if (queue.length >= limits.waiting) {
        return Promise.reject(makeError('unavailable', 'chat.import.server-full'))
      }
      return new Promise((resolve, reject) => {
        const end = () => {
          running.delete(owner)
          next()
        }
        const onAbort = () => {
          queue.splice(queue.indexOf(waiting), 1)
          reject(makeError('bad-request', 'chat.import.taken-back-early'))
        }
        const waiting: Waiting = {
          owner,
          start: () => {
            signal.removeEventListener('abort', onAbort)
            resolve(end)
          },
        }
        if (signal.aborted) return reject(makeError('bad-request', 'chat.import.taken-back'))
        signal.addEventListener('abort', onAbort, { once: true })
        queue.push(waiting)
        next()
      })
    },
  }
}

/**
 * The tools in an export, limited to what is needed to read old calls. Their permissions and descriptions are set again
 * when the owner registers them here.
 */
const broughtTools = (
  tools: readonly RegisteredTool[],
  isFree: (name: string) => boolean,
): readonly RegisteredTool[] => {
  const byName = new Map(tools.filter(({ name }) => isFree(name)).map((tool) => [tool.name, tool]))
  return [...byName.values()].map((tool) => ({ ...tool, permission: 'sensitive', origin: 'imported' }))
}

/** The file must not enable its own tools, even if its tool settings are accepted. */
function withoutToggles(config: ToolCallConfig, brought: readonly RegisteredTool[]): ToolCallConfig {
  const names = new Set(brought.map(({ name }) => name))
  const kept = Object.entries(config.toolToggles).filter(([name]) => !names.has(name))
  return { ...config, toolToggles: Object.fromEntries(kept) }
}

export interface TransferService {
  /** All entries, oldest first. */
  log(owner: string, id: string): Promise<readonly LogEntry[]>
  /** One page of the entries after `after`. */
  logPage(owner: string, id: string, after: number): Promise<LogPage>
  /** Everything in a conversation except its files, as the text of a `ConversationExport`. */
  export(owner: string, id: string): Promise<ExportText>
  /** Creates a conversation from an export; a repeated id returns the created one. */
  import(owner: string, request: ImportConversation): Promise<Conversation>
  /**
   * Call before reading the body of an import: one per owner at a time, few in total. Returns a function that releases
   * the slot.
   */
  admitImport(owner: string, signal: AbortSignal): Promise<() => void>
}

const LOG_PAGE = 200

/** Exports and imports conversations, and reads their logs. */
export function createTransferService(
  ports: Pick<
    ChatServicePorts,
    'store' | 'clock' | 'newId' | 'breathe' | 'limits' | 'discoverTools' | 'isFreeToolName'
  >,
  {
    chats,
    readings,
    views,
  }: {
    readonly chats: Pick<StoredConversations, 'listModels'>
    readonly readings: ReplyReadings
    readonly views: Pick<ViewService, 'view'>
  },
): TransferService {
  const { store, clock, newId, breathe } = ports
  const imports = createTurns({ total: 2, waitingOfOwner: 4, waiting: 16 })

  async function log(owner: string, id: string): Promise<readonly LogEntry[]> {
    const entries = await store.loadLog(owner, id)
    if (!entries) throw noSuchChat()
    return entries
  }

  return {
    log,

    async logPage(owner, id, after) {
      // One more than needed shows whether there are more.
      const found = await store.loadLog(owner, id, { after, limit: LOG_PAGE + 1 })
      if (!found) throw noSuchChat()
      const entries = found.slice(0, LOG_PAGE)
      return { entries, next: found.length > LOG_PAGE ? (entries.at(-1)?.seq ?? null) : null }
    },

    async export(owner, id) {
      // First ends a reply whose writer is gone.
      await views.view(owner, id, 1)
      const text = await exportText(store, owner, id, clock.now())
      if (!text) throw noSuchChat()
      return text
    },

    async import(owner, { id, export: exported, take = [] }) {
      const listed = await chats.listModels(new AbortController().signal)
      const newChats = await store.loadDefaults(owner)
      const usual = settingsOfSetup(newChats ?? { ...defaultSettings(''), model: null }, { ...listed, newChats })
      const brought = broughtTools(exported.tools ?? [], ports.isFreeToolName)
      const taken = takenSettings(exported.conversation.settings, usual, take)
      const settings = { ...taken, tools: withoutToggles(taken.tools, brought) }
      const tools = ports.discoverTools(settings.tools, brought)
      const now = clock.now()
      const imported = await planImport(id, { ...exported, tools: brought }, settings, {
        newId,
        now,
        readCalls: (message, amendments) => readings.callsOf(message, tools, amendments),
        breathe,
      })
      return store.importConversation(owner, imported, now, ports.limits.fair.maxBytesPerOwner)
    },

    admitImport: (owner, signal) => imports.take(owner, signal),
  }
}

const DAY_MS = 24 * 60 * 60 * 1000

interface NewLink {
  readonly share: SharedLink
  /** The secret of the link: returned only now. */
  readonly token: string
}

/** Chats that others can read with a link. */
export interface ShareService {
  /** Stores a snapshot; later messages are not included. */
  share(owner: string, conversationId: string, request: ShareChat): Promise<NewLink>
  /** The active links, optionally of one chat. */
  shares(owner: string, conversationId?: string): Promise<readonly SharedLink[]>
  unshare(owner: string, id: string): Promise<void>
  /** What a link shows to its visitors; null: unknown or revoked. */
  shared(token: string): Promise<SharedChat | null>
  /** Copies a shared chat to the reader's own chats; a repeated id returns the copy. */
  copyShared(owner: string, token: string, id: string): Promise<Conversation>
}

export function createShareService(
  { store, clock, newId, limits }: Pick<ChatServicePorts, 'store' | 'clock' | 'newId' | 'limits'>,
  transfer: Pick<TransferService, 'import'>,
): ShareService {
  // A malformed link is not looked up.
  const shared = (token: string) =>
    tokenForm.test(token) ? store.readShare(hashOf(token), clock.now()) : Promise.resolve(null)

  return {
    async share(owner, conversationId, { chat, shown, days }) {
      // 244 random bits, of which 192 are used.
      const token = base64url(sha256(utf8ToBytes(`${newId()} ${newId()}`)).slice(0, 24))
      const createdAt = clock.now()
      const share = await store.addShare(
        owner,
        {
          id: newId(),
          conversationId,
          tokenHash: hashOf(token),
          chat: onlyShown(chat, shown),
          shown,
          createdAt,
          expiresAt: createdAt + days * DAY_MS,
        },
        limits.fair.maxBytesPerOwner,
      )
      return { share, token }
    },

    shares: (owner, conversationId) => store.listShares(owner, clock.now(), conversationId),

    async unshare(owner, id) {
      if (!(await store.removeShare(owner, id))) throw makeError('not-found', 'chat.share.none')
    },

    shared,

    async copyShared(owner, token, id) {
      const found = await shared(token)
      if (!found) throw makeError('not-found', 'chat.share.gone')
      return transfer.import(owner, { id, export: exportOfReadable(inOneLine(found.chat), found.createdAt) })
    },
  }
}

const tokenForm = /^[A-Za-z0-9_-]{32}$/

/** A plain hash is enough for an unguessable secret. */
const hashOf = (token: string): string => bytesToHex(sha256(utf8ToBytes(`share ${token}`)))

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
