import type { ToolSetResponse } from '@/lib/shared/conversation/wire/api-types'
import { json } from '../../respond'
import { param, withOwner } from '../../with-owner'

export const dynamic = 'force-dynamic'

/** The tools of a set, by the SHA-256 of its canonical JSON, so its content never changes. */
export const GET = withOwner({}, async ({ owner, service, params }) =>
  json({ tools: await service.toolSet(owner, param(params, 'hash')) } satisfies ToolSetResponse),
)
