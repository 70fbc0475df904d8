import { toolServerToSaveSchema } from '@/lib/shared/mcp/tool-server-schema'
import { id } from '../../schemas'
import { json, noContent } from '../../respond'
import { inForm, param, withOwner } from '../../with-owner'

export const dynamic = 'force-dynamic'

/** Room for the largest set of tools. */
const MAX_BYTES = 2 * 1024 * 1024

/**
 * Adds or replaces a tool server. `tools` are those that its owner approved; without them, the approval is unchanged.
 */
export const PUT = withOwner(
  { body: toolServerToSaveSchema, maxBytes: MAX_BYTES },
  async ({ owner, service, params, body }) =>
    json({ server: await service.saveToolServer(owner, inForm(id, param(params, 'id')), body) }),
)

/** A missing server is not an error. Chats keep the tools that they used, to parse old calls. */
export const DELETE = withOwner({}, async ({ owner, service, params }) => {
  await service.removeToolServer(owner, param(params, 'id'))
  return noContent()
})
