import { makeError } from '@/lib/i18n/t'
import type { StoredConversation } from '@/lib/server/store/ports/conversation-store'
import { runsOnCopy } from '@/lib/shared/calls/approval-policy'
import { isCopyChosen, openCopy } from '@/lib/shared/calls/copy'
import { effectsGrantFor, isScopeSound } from '@/lib/shared/calls/effects'
import { treeOf, treePathTo } from '@/lib/shared/conversation/message-tree'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import type { CallRecord, Grant } from '@/lib/shared/conversation/call-record'
import type { CopyEnd, EffectsScope } from '@/lib/shared/conversation/copy-scopes'
import type {
  AllowCopy,
  AnswerCopy,
  GiveCallGrant,
  GiveEffectsGrant,
  GiveGrant,
} from '@/lib/shared/conversation/wire/call-requests'
import type { OriginMarker } from '@/lib/shared/origin/mark-calls'
import type { ChatServicePorts } from '../stored-chats/chat-service-ports'
import { findCall, justReply, replyOf, type CallReader, type LoadBranch } from '../stored-chats/stored-conversations'
import { grantScope, isUnasked, loadGrounds } from './chat-service-approval'

export interface GrantService {
  giveGrant(owner: string, conversationId: string, request: GiveGrant): Promise<Grant>
  revokeGrant(owner: string, conversationId: string, grantId: string): Promise<Grant>
  /**
   * Ends the chat's work on a copy. The first end counts and is returned. `allow` does not end it yet: the grant under
   * which the copy began must cover its changes, otherwise this is refused (`conflict`). `answer` neither: it says
   * which answer counts, if a link to the copy was made.
   */
  endCopy(owner: string, conversationId: string, grantId: string, end: CopyEnd | AllowCopy | AnswerCopy): Promise<Grant>
}

const MAX_GRANTS = 500

interface GrantParts {
  readonly load: LoadBranch
  readonly callsIn: (stored: StoredConversation) => CallReader
  readonly marker: OriginMarker
}

type GrantPorts = Pick<ChatServicePorts, 'store' | 'clock' | 'toolFacts' | 'limits'>

/** Stores and revokes remembered approvals. */
export function createGrantService(ports: GrantPorts, parts: GrantParts): GrantService {
  const { store, clock, toolFacts, limits } = ports

  /** Scope, origin and expiry of the requested grant. */
  async function plan(
    owner: string,
    stored: StoredConversation,
    request: GiveGrant,
  ): Promise<Omit<Grant, keyof typeof unused | 'id'>> {
    if (request.kind === 'effects') return effectsPlan(stored, request)
    const { grantLifetimeMs } = stored.conversation.settings.tools
    const { found, message } = await findCall(stored, parts.callsIn(stored), request)
    const { messageId, slot, kind } = request
    const tool = toolFacts(found.call.name, stored.tools)
    const now = clock.now()
    if (kind === 'copy') {
      const isSandboxed = tool !== undefined && runsOnCopy(tool)
      const under = underOf(stored.grants, request, message, isSandboxed, now)
      if (request.chosen) {
        const grounds = await loadGrounds(parts.load, owner, stored, { message, tool })
        const path = treePathTo(treeOf(grounds.stored.messages), message.id)
        if (!isSandboxed || !isCopyChosen(stored.grants, path)) throw makeError('conflict', 'chat.copy.not-chosen')
      }
      // A copy ends with its own decision and never expires, because its changes must not stay undecided.
      const scope = {
        kind,
        ...(under !== null && { under }),
        ...(request.chosen && { chosen: true as const }),
        ...(request.isPreview && { isPreview: true as const }),
      }
      return { scope, givenOn: { messageId, slot }, createdAt: now }
    }
    return {
      scope: await grantScope(kind, tool, found.call),
      givenOn: { messageId, slot },
      createdAt: now,
      ...(grantLifetimeMs !== null && { expiresAt: now + grantLifetimeMs }),
    }
  }

  function effectsPlan({ grants }: StoredConversation, request: GiveEffectsGrant) {
    const { copyId, folders, changes, maxFiles, maxBytes, runs, until } = request
    const copy = grants.find(({ id }) => id === copyId)
    if (copy?.scope.kind !== 'copy' || copy.scope.end?.kind !== 'kept') {
      throw makeError('conflict', 'chat.grant.not-kept')
    }
    const scope: EffectsScope = { kind: 'effects', folders, changes, maxFiles, maxBytes, runs }
    if (!isScopeSound(scope)) throw makeError('conflict', 'chat.grant.limits')
    return {
      scope,
      ...(copy.givenOn && { givenOn: copy.givenOn }),
      createdAt: clock.now(),
      ...(until !== null && { expiresAt: until }),
    }
  }

  async function allow(owner: string, conversationId: string, copyId: string, { effects }: AllowCopy): Promise<Grant> {
    const runs = await store.runsOnCopy(owner, conversationId, copyId)
    // The copy ended or never existed; the store reports which.
    for (const run of runs ?? []) await refuseUnasked(owner, conversationId, run)
    return store.allowCopy(owner, conversationId, copyId, { effects, seen: runs ?? [] }, clock.now())
  }

  /**
   * Refuses a call that a text requested and the user did not. Calls that ran by a rule or a grant were checked before
   * they ran; a call that ran by a click was not.
   */
  async function refuseUnasked(owner: string, conversationId: string, { messageId, slot, by, name }: CallRecord) {
    if (by.kind === 'grant' || by.kind === 'auto') return
    const here = await parts.load(owner, conversationId, justReply(messageId))
    const message = replyOf(here, messageId)
    const found = parts
      .callsIn(here)(message)
      .find((call) => call.slot === slot)
    const tool = toolFacts(name, here.tools)
    const { stored } = await loadGrounds(parts.load, owner, here, { message, tool })
    const origins = { owner, marker: parts.marker, toolFacts }
    // A call that can't be read now can't be checked, so it counts as requested by others.
    const isOthers = !found || (await isUnasked({ stored, message, found, tool, callsIn: parts.callsIn, origins }))
    if (isOthers) throw makeError('conflict', 'chat.copy.origin', { tool: name })
  }

  return {
    async giveGrant(owner, conversationId, request) {
      const part = request.kind === 'effects' ? { head: null } : justReply(request.messageId)
      const stored = await parts.load(owner, conversationId, part)
      const given = stored.grants.find(({ id }) => id === request.id)
      if (given) return given
      const open = request.kind === 'copy' ? openCopy(stored.grants) : null
      if (open) return open
      if (stored.grants.length >= MAX_GRANTS) {
        throw makeError('conflict', 'chat.grant.too-many', { most: MAX_GRANTS })
      }
      if (stored.conversation.settings.tools.requireConfirmation) {
        throw makeError('conflict', 'chat.grant.all-click')
      }
      const planned = await plan(owner, stored, request)
      const grant = { id: request.id, ...planned, ...unused }
      return store.giveGrant(owner, conversationId, grant, limits.fair.maxBytesPerOwner)
    },

    async revokeGrant(owner, conversationId, grantId) {
      const grant = await store.revokeGrant(owner, conversationId, grantId, clock.now())
      if (!grant) throw makeError('not-found', 'chat.grant.none')
      return grant
    },

    async endCopy(owner, conversationId, grantId, end) {
      const { grants } = await parts.load(owner, conversationId, { head: null })
      const copy = grants.find(({ id }) => id === grantId)
      if (copy?.scope.kind !== 'copy') throw makeError('not-found', 'chat.grant.none')
      if (end.kind === 'allow') return allow(owner, conversationId, grantId, end)
      if (end.kind === 'answer') {
        const { answer: kind, over } = end
        const answer = { kind, from: 'here', ...(over !== undefined && { over }) } as const
        return (await store.answerCopy(owner, conversationId, grantId, answer)).copy
      }
      if (end.by === 'grant' && (end.kind !== 'kept' || !copy.scope.allowed)) {
        throw makeError('conflict', 'store.copy-not-under')
      }
      const grant = await store.revokeGrant(owner, conversationId, grantId, clock.now(), end)
      if (!grant) throw makeError('not-found', 'chat.grant.none')
      return grant
    },
  }
}

const unused = { uses: 0, lastUsedAt: null, revokedAt: null } as const

/**
 * The grant under which a copy begins, checked against the reply of its first call; null: the user started the copy.
 */
function underOf(
  grants: readonly Grant[],
  { under }: GiveCallGrant,
  reply: AssistantMessage,
  isSandboxed: boolean,
  now: number,
): string | null {
  if (under === undefined) return null
  const grant = effectsGrantFor(
    grants.filter(({ id }) => id === under),
    reply,
    now,
  )
  if (grant === null || !isSandboxed) throw makeError('conflict', 'chat.call.click-no-grant')
  return under
}
