import { json } from '../../../respond'
import { param, withOwner } from '../../../with-owner'
import { tabPiecesSchema, writerKeyOf } from '../../tab-schemas'

export const dynamic = 'force-dynamic'

/** After some seconds offline, a model's text is larger than one piece. */
const MAX_BYTES = 1024 * 1024

export const POST = withOwner(
  { body: tabPiecesSchema, maxBytes: MAX_BYTES },
  async ({ owner, service, params, request, body }) =>
    json(await service.tabPieces(owner, param(params, 'id'), writerKeyOf(request), body)),
)
