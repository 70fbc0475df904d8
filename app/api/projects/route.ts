import { projectToAddSchema } from '../project-preset-schemas'
import { json } from '../respond'
import { withOwner } from '../with-owner'

export const dynamic = 'force-dynamic'

const MAX_BYTES = 512 * 1024

export const GET = withOwner({}, async ({ owner, service }) => json({ projects: await service.projects(owner) }))

export const POST = withOwner({ body: projectToAddSchema, maxBytes: MAX_BYTES }, async ({ owner, service, body }) =>
  json({ project: await service.addProject(owner, body) }),
)
