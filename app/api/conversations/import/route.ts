import { json } from '../../respond'
import { importSchema } from '../../import-schema'
import { withOwner } from '../../with-owner'

export const dynamic = 'force-dynamic'

/**
 * Enough for a long chat; the server may set another limit, because checking takes CPU time from everyone. Workspace
 * files are never sent here.
 */
const MAX_BYTES = 8_000_000

export const POST = withOwner(
  {
    body: importSchema,
    maxBytes: ({ maxImportBytes = MAX_BYTES }) => maxImportBytes,
    admit: ({ owner, service, request }) => service.admitImport(owner, request.signal),
  },
  async ({ owner, service, body }) => json({ conversation: await service.import(owner, body) }),
)
