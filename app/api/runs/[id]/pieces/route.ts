import { json } from '../../../respond'
import { param, withOwner } from '../../../with-owner'
import { tabPiecesSchema, writerKeyOf } from '../../tab-schemas'

export const dynamic = 'force-dynamic'

/** What a model writes in some seconds without a network is more than what it writes in one. */
const MAX_BYTES = 1024 * 1024

export const POST = withOwner(
  { body: tabPiecesSchema, maxBytes: MAX_BYTES },
  async ({ owner, service, params, request, body }) =>
    json(await service.tabPieces(owner, param(params, 'id'), writerKeyOf(request), body)),
)
