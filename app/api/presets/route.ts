import type { PresetsResponse } from '@/lib/shared/conversation/wire/api-types'
import { presetOrderSchema, presetToAddSchema } from '../project-preset-schemas'
import { json } from '../respond'
import { withOwner } from '../with-owner'

export const dynamic = 'force-dynamic'

const MAX_BYTES = 512 * 1024

export const GET = withOwner({}, async ({ owner, service }) =>
  json({ presets: await service.presets(owner) } satisfies PresetsResponse),
)

export const POST = withOwner({ body: presetToAddSchema, maxBytes: MAX_BYTES }, async ({ owner, service, body }) =>
  json({ preset: await service.addPreset(owner, body) }),
)

/** Changes the presets' order. */
export const PATCH = withOwner({ body: presetOrderSchema }, async ({ owner, service, body }) =>
  json({ presets: await service.orderPresets(owner, body.order) } satisfies PresetsResponse),
)
