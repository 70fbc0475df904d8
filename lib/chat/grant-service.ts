import { makeError } from '@/lib/i18n/t'
import type { GiveGrant } from '@/lib/conversation/api-types'
import type { Grant } from '@/lib/conversation/conversation'
import type { StoredConversation } from '@/lib/store/conversation-store'
import { findCall, justReply, type CallReader, type LoadBranch } from './call-of-request'
import { grantScope } from './chat-service-approval'
import type { ChatServicePorts } from './chat-service-ports'

export interface GrantService {
  giveGrant(owner: string, conversationId: string, request: GiveGrant): Promise<Grant>
  revokeGrant(owner: string, conversationId: string, grantId: string): Promise<Grant>
}

const MAX_GRANTS = 500

/** Answers that are remembered, and taken back. */
export function createGrantService(
  { store, clock, toolFacts, limits }: Pick<ChatServicePorts, 'store' | 'clock' | 'toolFacts' | 'limits'>,
  parts: { readonly load: LoadBranch; readonly callsIn: (stored: StoredConversation) => CallReader },
): GrantService {
  return {
    async giveGrant(owner, conversationId, request) {
      const stored = await parts.load(owner, conversationId, justReply(request.messageId))
      const given = stored.grants.find(({ id }) => id === request.id)
      if (given) return given
      if (stored.grants.length >= MAX_GRANTS) {
        throw makeError('conflict', 'chat.grant.too-many', { most: MAX_GRANTS })
      }
      const { requireConfirmation, grantLifetimeMs } = stored.conversation.settings.tools
      if (requireConfirmation) {
        throw makeError('conflict', 'chat.grant.all-click')
      }
      const { found } = await findCall(stored, parts.callsIn(stored), request)
      const now = clock.now()
      return store.giveGrant(
        owner,
        conversationId,
        {
          id: request.id,
          scope: await grantScope(request.kind, toolFacts(found.call.name, stored.tools), found.call),
          givenOn: { messageId: request.messageId, slot: request.slot },
          createdAt: now,
          ...(grantLifetimeMs !== null && { expiresAt: now + grantLifetimeMs }),
          uses: 0,
          lastUsedAt: null,
          revokedAt: null,
        },
        limits.fair.maxBytesPerOwner,
      )
    },

    async revokeGrant(owner, conversationId, grantId) {
      const grant = await store.revokeGrant(owner, conversationId, grantId, clock.now())
      if (!grant) throw makeError('not-found', 'chat.grant.none')
      return grant
    },
  }
}
