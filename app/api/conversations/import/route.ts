import { json } from '../../respond'
import { importSchema } from '../../import-schema'
import { withOwner } from '../../with-owner'

export const dynamic = 'force-dynamic'

/** A long chat with its pictures; files of the workspace never come here. */
const MAX_BYTES = 50_000_000

export const POST = withOwner({ body: importSchema, maxBytes: MAX_BYTES }, async ({ owner, service, body }) =>
  json({ conversation: await service.import(owner, body) }),
)
