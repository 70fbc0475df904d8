import { json } from '../../../../respond'
import { stopCallSchema } from '../../../../call-schemas'
import { param, withOwner } from '../../../../with-owner'

export const dynamic = 'force-dynamic'

/** Includes the run's output until it was stopped. */
const MAX_OUTCOME_BYTES = 8 * 1024 * 1024

export const POST = withOwner(
  { body: stopCallSchema, maxBytes: MAX_OUTCOME_BYTES },
  async ({ owner, service, params, body }) => json({ call: await service.stopCall(owner, param(params, 'id'), body) }),
)
