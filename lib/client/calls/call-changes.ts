import type { CallActions } from '@/lib/client/chats/actions'
import { withRetry } from '@/lib/client/api/api-client'
import type { Grant, GrantScope, ResultRelease } from '@/lib/shared/conversation/call-record'
import { err, ok, type Result } from '@/lib/base/result'
import type { GiveCallGrant } from '@/lib/shared/conversation/wire/call-requests'
import { needsDecision, type MessageCall } from '@/lib/shared/calls/message-calls'
import { inBackground, sendWhenIdle, type CallPage } from './call-page'
import { hashOf, whyRefused } from './decide-call'
import { openReply, type OpenReply } from './open-reply'
import { t } from '@/lib/i18n/t'

const TRIES = 3
const gone = () => t('calls.reply-not-in-view')

/** The user's edits of calls and results, and grants: stored first, then shown. */
export function createCallChanges(page: CallPage): Pick<CallActions, 'amend' | 'release' | 'revokeGrant'> {
  const { ports } = page
  const patiently = { tries: TRIES, wait: ports.wait }
  const amending = createTurns()

  async function store(reply: OpenReply, slot: number, call: Parameters<CallActions['amend']>[2]) {
    const { conversationId, messageId } = reply
    if (page.jobs.of(reply, slot) || reply.recordOf(slot)) {
      return t('calls.decided')
    }
    const amendment = call === 'undo' ? null : { call: call && (await ports.secrets.hide(conversationId, call)) }
    const request = { messageId, slot, amendment }
    const answer = await withRetry(() => ports.api.amendCall(conversationId, request), patiently)
    if (answer.ok) {
      ports.dispatch({ type: 'amendments-changed', conversationId, messageId, amendments: answer.value })
    } else await reply.load()
    // A call that cannot run no longer blocks once the user stops editing it, and it may have been the last one that
    // did.
    const [now] = reply.pick([slot])
    if (!now || !needsDecision(now)) inBackground(reply, () => sendWhenIdle(page, reply))
    return answer.ok ? null : answer.error.message
  }

  return {
    async amend(messageId, slot, call) {
      const reply = openReply(ports, messageId)
      if (!reply) return gone()
      // In sequence: a retry of an older change must not replace a newer one.
      return amending(reply.keyOf(slot), () => reply.hold(() => store(reply, slot, call)))
    },

    async release(messageId, slot, word) {
      const reply = openReply(ports, messageId)
      if (!reply) return gone()
      const row = reply.recordOf(slot)
      if (!row?.outcome || !row.gated) return t('calls.nothing-waits')
      return reply.hold(async () => {
        const request = { messageId, slot, attempt: row.attempt, release: word }
        const answer = await withRetry(() => ports.api.releaseResult(reply.conversationId, request), patiently)
        if (answer.ok) reply.record(answer.value)
        else await reply.load()
        inBackground(reply, () => sendWhenIdle(page, reply))
        if (!answer.ok) return answer.error.message
        return isSameRelease(answer.value.release, word) ? null : t('calls.decided-elsewhere')
      })
    },

    async revokeGrant(grantId) {
      const { shownId: conversationId } = ports.getState()
      const answer = await withRetry(() => ports.api.revokeGrant(conversationId, grantId), patiently)
      if (!answer.ok) return answer.error.message
      ports.dispatch({ type: 'grant-changed', conversationId, grant: answer.value })
      return null
    },
  }
}

/** Returns the grant, or a sentence. The id is created once, so a repeated request creates one grant. */
export async function giveGrant(
  { ports }: CallPage,
  reply: OpenReply,
  target: MessageCall,
  kind: GrantScope['kind'] | 'copy',
  { under, chosen, isPreview }: Pick<GiveCallGrant, 'under' | 'chosen' | 'isPreview'> = {},
): Promise<Result<Grant, string>> {
  const { conversationId, messageId } = reply
  const callHash = await hashOf(reply, target)
  const request = {
    id: ports.newId(),
    messageId,
    slot: target.slot,
    callHash,
    kind,
    ...(under !== undefined && { under }),
    ...(chosen && { chosen }),
    ...(isPreview && { isPreview }),
  }
  const options = { tries: TRIES, wait: ports.wait }
  const answer = await withRetry(() => ports.api.giveGrant(conversationId, request), options)
  if (!answer.ok) return err(await whyRefused(reply, target, answer.error))
  ports.dispatch({ type: 'grant-changed', conversationId, grant: answer.value })
  return ok(answer.value)
}

/** Runs tasks of the same name in sequence, in the order in which they were requested. */
function createTurns() {
  const last = new Map<string, Promise<unknown>>()
  return function inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
    const mine = (last.get(name) ?? Promise.resolve()).then(work, work)
    last.set(name, mine)
    return mine
  }
}

const isSameRelease = (stands: ResultRelease | null, wanted: Parameters<CallActions['release']>[2]): boolean =>
  stands !== null &&
  stands.kind === wanted.kind &&
  stands.note === wanted.note &&
  (stands.kind !== 'changed' ||
    wanted.kind !== 'changed' ||
    JSON.stringify(stands.result) === JSON.stringify(wanted.result))
