import { json } from '../../respond'
import { importSchema } from '../../import-schema'
import { withOwner } from '../../with-owner'

export const dynamic = 'force-dynamic'

/** A long chat, unless the server says otherwise: checking it takes time of everyone. Files of the workspace never come here. */
const MAX_BYTES = 8_000_000

export const POST = withOwner(
  {
    body: importSchema,
    maxBytes: ({ maxImportBytes = MAX_BYTES }) => maxImportBytes,
    admit: ({ owner, service, request }) => service.admitImport(owner, request.signal),
  },
  async ({ owner, service, body }) => json({ conversation: await service.import(owner, body) }),
)
