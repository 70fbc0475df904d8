import { AppError } from '@/lib/base/app-error'
import type { GiveGrant } from '@/lib/conversation/api-types'
import type { Grant } from '@/lib/conversation/conversation'
import type { StoredConversation } from '@/lib/store/store'
import { findCall, type CallReader, type LoadConversation } from './call-of-request'
import { grantScope } from './chat-service-approval'
import type { ChatServicePorts } from './chat-service-ports'

export interface GrantService {
  giveGrant(owner: string, conversationId: string, request: GiveGrant): Promise<Grant>
  revokeGrant(owner: string, conversationId: string, grantId: string): Promise<Grant>
}

const MAX_GRANTS = 500

/** Answers that are remembered, and taken back. */
export function createGrantService(
  { store, clock, toolFacts }: Pick<ChatServicePorts, 'store' | 'clock' | 'toolFacts'>,
  parts: { readonly load: LoadConversation; readonly callsIn: (stored: StoredConversation) => CallReader },
): GrantService {
  return {
    async giveGrant(owner, conversationId, request) {
      const stored = await parts.load(owner, conversationId)
      const given = stored.grants.find(({ id }) => id === request.id)
      if (given) return given
      if (stored.grants.length >= MAX_GRANTS) {
        throw new AppError('conflict', `This chat remembers ${MAX_GRANTS} answers, which is as many as it can.`)
      }
      const { requireConfirmation, grantLifetimeMs } = stored.conversation.settings.tools
      if (requireConfirmation) {
        throw new AppError('conflict', 'Every call of this chat waits for a click, so no yes is remembered.')
      }
      const { found } = await findCall(stored, parts.callsIn(stored), request)
      const now = clock.now()
      return store.giveGrant(owner, conversationId, {
        id: request.id,
        scope: await grantScope(request.kind, toolFacts(found.call.name), found.call),
        givenOn: { messageId: request.messageId, slot: request.slot },
        createdAt: now,
        ...(grantLifetimeMs !== null && { expiresAt: now + grantLifetimeMs }),
        uses: 0,
        lastUsedAt: null,
        revokedAt: null,
      })
    },

    async revokeGrant(owner, conversationId, grantId) {
      const grant = await store.revokeGrant(owner, conversationId, grantId, clock.now())
      if (!grant) throw new AppError('not-found', 'There is no such remembered answer in this chat.')
      return grant
    },
  }
}
