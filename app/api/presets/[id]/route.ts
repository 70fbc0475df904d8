import { presetChangeSchema } from '../../project-preset-schemas'
import { json, noContent } from '../../respond'
import { param, withOwner } from '../../with-owner'

export const dynamic = 'force-dynamic'

const MAX_BYTES = 512 * 1024

export const PATCH = withOwner(
  { body: presetChangeSchema, maxBytes: MAX_BYTES },
  async ({ owner, service, params, body }) =>
    json({ preset: await service.changePreset(owner, param(params, 'id'), body) }),
)

export const DELETE = withOwner({}, async ({ owner, service, params }) => {
  await service.removePreset(owner, param(params, 'id'))
  return noContent()
})
