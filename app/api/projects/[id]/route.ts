import { projectChangeSchema } from '../../project-preset-schemas'
import { json, noContent } from '../../respond'
import { param, withOwner } from '../../with-owner'

export const dynamic = 'force-dynamic'

const MAX_BYTES = 512 * 1024

export const PATCH = withOwner(
  { body: projectChangeSchema, maxBytes: MAX_BYTES },
  async ({ owner, service, params, body }) =>
    json({ project: await service.changeProject(owner, param(params, 'id'), body) }),
)

/** The project's chats stay. */
export const DELETE = withOwner({}, async ({ owner, service, params }) => {
  await service.removeProject(owner, param(params, 'id'))
  return noContent()
})
