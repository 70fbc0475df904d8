import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Conversation } from '@/lib/shared/conversation/conversation'
import { exportOfReadable, inOneLine } from '@/lib/shared/conversation/readable/export-of-readable'
import { onlyShown } from '@/lib/shared/conversation/readable/readable-chat'
import type { SharedLink, ShareChat } from '@/lib/shared/conversation/readable/share'
import type { SharedChat } from '@/lib/server/store/ports/store'
import { makeError } from '@/lib/i18n/t'
import type { ChatServicePorts } from '../stored-chats/chat-service-ports'
import type { TransferService } from './transfer-service'

const DAY_MS = 24 * 60 * 60 * 1000

export interface NewLink {
  readonly share: SharedLink
  /** The secret of the link: said now, and never again. */
  readonly token: string
}

/** Chats that others may read by a link. */
export interface ShareService {
  /** Keeps what is shown, as it is now: what comes later is not in it. */
  share(owner: string, conversationId: string, request: ShareChat): Promise<NewLink>
  /** The links that stand, of one chat where that is named. */
  shares(owner: string, conversationId?: string): Promise<readonly SharedLink[]>
  unshare(owner: string, id: string): Promise<void>
  /** What a link shows to whoever has it; null: nothing, or nothing any more. */
  shared(token: string): Promise<SharedChat | null>
  /** Makes a chat of the reader's own of what a link shows; the same id again gives the one that was made. */
  copyShared(owner: string, token: string, id: string): Promise<Conversation>
}

export function createShareService(
  { store, clock, newId, limits }: Pick<ChatServicePorts, 'store' | 'clock' | 'newId' | 'limits'>,
  transfer: Pick<TransferService, 'import'>,
): ShareService {
  // A link that nobody was ever given is not looked for.
  const shared = (token: string) =>
    tokenForm.test(token) ? store.readShare(hashOf(token), clock.now()) : Promise.resolve(null)

  return {
    async share(owner, conversationId, { chat, shown, days }) {
      // 244 bits of chance, from which 192 are taken.
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

/** Of a secret that nobody can guess a plain hash is enough. */
const hashOf = (token: string): string => bytesToHex(sha256(utf8ToBytes(`share ${token}`)))

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
