import { json } from '../../../../respond'
import { relayCallSchema } from '../../../../call-schemas'
import { endWithSession, param, withOwner } from '../../../../with-owner'

export const dynamic = 'force-dynamic'

/**
 * Fetches the page, or asks the search service, that an approved call names. Does so once, with the address of the
 * stored call. The bytes are sent inside JSON, so the browser never treats part of a page as a document of this origin.
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
