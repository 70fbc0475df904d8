import type { CallPlace, SealedOutcome } from '@/lib/client/secrets/call-secrets'
import type { MessageCall } from '@/lib/shared/calls/message-calls'
import type { CallOutcome } from '@/lib/shared/conversation/call-record'
import { nameOfOperatorId } from '@/lib/shared/mcp/operator-server'
import { treePathTo } from '@/lib/shared/conversation/message-tree'
import { isLow, LIFTED_NUMBERS, type NumberLane } from '@/lib/client/secrets/vault'
import { isPromotedSlot, promotedFrom } from '@/lib/shared/calls/message-calls'
import { placeholdersIn } from '@/lib/shared/secrets/placeholders'
import type { CallControllerPorts } from './call-ports'
import type { OpenReply } from './open-reply'

/** A call of a reply, with what is needed to protect its secrets. */
export function placeOf(
  { toolOf }: Pick<CallControllerPorts, 'toolOf'>,
  { conversationId, messageId, view }: OpenReply,
  { call }: MessageCall,
): CallPlace {
  const { tree, tools } = view()
  const server = tools.find(({ name }) => name === call.name)?.remote?.server
  return {
    conversationId,
    messageId,
    path: treePathTo(tree, messageId).map(({ id }) => id),
    call,
    isRelayed:
      (server !== undefined && nameOfOperatorId(server) !== null) ||
      toolOf(call.name, tools)?.policy.needs !== undefined,
  }
}

/** The outcome as the server may receive it. */
export const sealOutcome = (
  ports: Pick<CallControllerPorts, 'secrets' | 'toolOf'>,
  reply: OpenReply,
  target: MessageCall,
  outcome: CallOutcome,
): Promise<SealedOutcome> =>
  ports.secrets.seal(placeOf(ports, reply, target), outcome, {
    tool: ports.toolOf(target.call.name, reply.view().tools),
    config: reply.config(),
    lane: () => laneOf(reply, target.slot),
  })

/** More values than one attempt finds. */
const PER_ATTEMPT = 100

/**
 * The numbers for the values that a call finds. Another browser may have given numbers in this chat, whose values are not
 * here. It may also run another call of this reply now, or have run this one and lost its outcome: both have other numbers,
 * by the call's place in the reply and by its attempt, which the server gives to one browser only.
 */
export function laneOf(
  { view, calls, recordOf }: Pick<OpenReply, 'view' | 'calls' | 'recordOf'>,
  slot: number,
): NumberLane {
  const { path, calls: rows } = view()
  const given = placeholdersIn(JSON.stringify([path, [...rows.values()]]))
  const again = ((recordOf(slot)?.attempt ?? 1) - 1) * PER_ATTEMPT
  if (isPromotedSlot(slot)) {
    const first = LIFTED_NUMBERS + (promotedFrom(slot) % 8_000) * PER_ATTEMPT
    return { above: first + again, lane: 0, of: 1 }
  }
  const of = Math.max(1, calls().filter((one) => !isPromotedSlot(one.slot)).length)
  return { above: Math.max(0, ...given.filter(isLow)) + again, lane: (slot + 1) % of, of }
}
