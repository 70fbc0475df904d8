import { json } from '../../../../respond'
import { relayCallSchema } from '../../../../schemas'
import { endWithSession, param, withOwner } from '../../../../with-owner'

export const dynamic = 'force-dynamic'

/**
 * Reads the page or asks the search service that an approved call names, once; the address is that of the stored call. The bytes
 * come as data in JSON, so nothing of a page is ever a document of this origin.
 */
export const POST = withOwner({ body: relayCallSchema }, async (asked) => {
  const { owner, service, params, body, request } = asked
  const gone = new AbortController()
  const close = endWithSession(asked, gone)
  try {
    const signal = AbortSignal.any([request.signal, gone.signal])
    return json({ answer: await service.openWeb(owner, param(params, 'id'), body, signal) })
  } finally {
    close()
  }
})
