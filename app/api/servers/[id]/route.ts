import { toolServerToSaveSchema } from '@/lib/shared/mcp/tool-server-schema'
import { id } from '../../schemas'
import { json, noContent } from '../../respond'
import { param, withOwner } from '../../with-owner'

export const dynamic = 'force-dynamic'

/** Room for the largest set of tools. */
const MAX_BYTES = 2 * 1024 * 1024

/** Adds a tool server or replaces it. With `tools`, these are what its owner approved; without, that stays as it is. */
export const PUT = withOwner(
  { body: toolServerToSaveSchema, maxBytes: MAX_BYTES },
  async ({ owner, service, params, body }) =>
    json({ server: await service.saveToolServer(owner, id.parse(param(params, 'id')), body) }),
)

/** A server that is not there is no error. Chats keep the tools that they used, to read old calls by. */
export const DELETE = withOwner({}, async ({ owner, service, params }) => {
  await service.removeToolServer(owner, param(params, 'id'))
  return noContent()
})
