import type { Server } from '@/lib/server/wiring/server-parts'
import { makeError } from '@/lib/i18n/t'
import { ndjsonHeaders as headers, ndjsonOf } from '../../ndjson'
import { withOwner, endWithSession } from '../../with-owner'
import { trialSchema } from './trial-schema'

export const dynamic = 'force-dynamic'

const MAX_BYTES = 2 * 1024 * 1024
const KEEP_ALIVE_MS = 10_000

/** One reply for the lab, as it comes: it is in no chat, and ends when nobody reads it. */
export const POST = withOwner({ body: trialSchema, maxBytes: MAX_BYTES, allow: labIsOn }, async (asked) => {
  const { owner, service, visitor, request, body } = asked
  const gone = new AbortController()
  const leave = () => gone.abort()
  if (request.signal.aborted) leave()
  const lines = await service.trial(owner, body, gone.signal, visitor)
  request.signal.addEventListener('abort', leave, { once: true })
  const close = endWithSession(asked, gone)
  const onClose = () => {
    request.signal.removeEventListener('abort', leave)
    close()
  }
  return new Response(ndjsonOf(lines, { gone, keepAliveMs: KEEP_ALIVE_MS, onClose }), { headers })
})

function labIsOn({ server }: { readonly server: Server }): void {
  if (server.lab === false) throw makeError('forbidden', 'chat.lab.off')
}
