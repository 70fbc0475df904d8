import { isUnexplained, REASON_MS } from '@/lib/shared/calls/call-state'
import { t } from '@/lib/i18n/t'
import { reasonLockName, type CallControllerPorts } from './call-ports'
import type { OpenReply } from './open-reply'

export interface ReasonWait {
  /** A call was denied here without a reason: one may follow. */
  readonly begin: (messageId: string) => void
  /** The person said all, or wants it told at once. */
  readonly end: (messageId: string) => void
  /** Resolves when nothing of the reply waits for a reason: no denial is fresh here, and no tab writes one. */
  readonly over: (reply: OpenReply) => Promise<void>
}

/**
 * A denial counts at once, and is stored at once. Only its telling waits: for a few seconds in the page in which it was
 * pressed, and as long as a tab of this browser has the field for its reason open. A page that goes away ends its waiting;
 * the results then stand in the chat, to be sent by a click.
 */
export function createReasonWait({ wait, locks }: Pick<CallControllerPorts, 'wait' | 'locks'>): ReasonWait {
  const waits = new Map<string, { readonly done: Promise<void>; readonly end: () => void }>()
  const never = new AbortController().signal

  return {
    begin(messageId) {
      waits.get(messageId)?.end()
      const { promise, resolve } = Promise.withResolvers<void>()
      const mine = { done: promise, end: resolve }
      waits.set(messageId, mine)
      void wait(REASON_MS).then(resolve)
    },
    end: (messageId) => waits.get(messageId)?.end(),
    async over(reply) {
      for (let open = waits.get(reply.messageId); open; open = waits.get(reply.messageId)) {
        await open.done
        if (waits.get(reply.messageId) === open) waits.delete(reply.messageId)
      }
      for (const { slot } of reply.calls()) {
        if (isUnexplained(reply.recordOf(slot))) await locks.whenFree(reasonLockName(reply.messageId, slot), never)
      }
    },
  }
}

/** Adds a reason. Gives a sentence when it could not be stored. */
export async function explainDenial(
  { api }: Pick<CallControllerPorts, 'api'>,
  reply: OpenReply,
  slot: number,
  reason: string,
): Promise<string | null> {
  const answer = await api.explainDenial(reply.conversationId, { messageId: reply.messageId, slot, reason })
  if (answer.ok) {
    reply.record(answer.value)
    return null
  }
  if (answer.error.code === 'call-not-open') await reply.load()
  return t('calls.reason-not-added', { why: answer.error.message })
}

/** Holds the results of a reply back until the given function is called. */
export function holdForReason(
  { locks }: Pick<CallControllerPorts, 'locks'>,
  messageId: string,
  slot: number,
): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  // Where another tab writes one too, that one holds it.
  void locks.tryHold(reasonLockName(messageId, slot), () => promise)
  return resolve
}
