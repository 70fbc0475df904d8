import { KEEP_ALIVE_MS, ndjsonHeaders, ndjsonOf } from '../../../../ndjson'
import { noContent } from '../../../../respond'
import { answerRelaySchema, relayCallSchema } from '../../../../call-schemas'
import { endWithSession, param, withOwner } from '../../../../with-owner'

export const dynamic = 'force-dynamic'

/**
 * Sends an approved call to its operator tool server, once, with the arguments of the stored call. The response is a
 * stream of JSON lines. When the page leaves, the call is cancelled at the server.
 */
export const POST = withOwner({ body: relayCallSchema }, async (asked) => {
  const { owner, service, params, body, request } = asked
  const gone = new AbortController()
  const leave = () => gone.abort()
  if (request.signal.aborted) leave()
  request.signal.addEventListener('abort', leave, { once: true })
  const lines = await service.relay(owner, param(params, 'id'), body, gone.signal)
  const close = endWithSession(asked, gone)
  const onClose = () => {
    request.signal.removeEventListener('abort', leave)
    close()
  }
  return new Response(ndjsonOf(lines, { gone, keepAliveMs: KEEP_ALIVE_MS, onClose }), { headers: ndjsonHeaders })
})

/** Answers a question of the server that runs the call; any node may get it. */
export const PUT = withOwner({ body: answerRelaySchema }, async ({ owner, service, params, body }) => {
  await service.answerRelay(owner, param(params, 'id'), body)
  return noContent()
})
