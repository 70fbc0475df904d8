import type { CallPlace, SealedOutcome } from '@/lib/client/secrets/call-secrets'
import type { MessageCall } from '@/lib/shared/calls/message-calls'
import type { CallOutcome } from '@/lib/shared/conversation/call-record'
import { nameOfOperatorId } from '@/lib/shared/mcp/operator-server'
import { treePathTo } from '@/lib/shared/conversation/message-tree'
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
    highest: () => highestIn(reply),
  })

/** Another browser may have used numbers in this chat; its values are not in this browser. */
function highestIn({ view }: OpenReply): number {
  const { path, calls } = view()
  return Math.max(0, ...placeholdersIn(JSON.stringify([path, [...calls.values()]])))
}
