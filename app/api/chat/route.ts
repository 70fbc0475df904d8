import { after } from 'next/server'
import { attachmentLimits } from '@/lib/shared/conversation/attached'
import { json } from '../respond'
import { chatSchema } from '../schemas'
import { withOwner } from '../with-owner'

export const dynamic = 'force-dynamic'

/** A million characters could be larger, at up to six bytes each as JSON escapes, but text is mostly smaller. */
const MAX_TEXT_BYTES = 4 * 1024 * 1024
const MAX_BYTES = MAX_TEXT_BYTES + attachmentLimits.maxImagesChars

export const POST = withOwner({ body: chatSchema, maxBytes: MAX_BYTES }, async ({ owner, service, visitor, body }) => {
  const answer = await service.append(owner, body, visitor)
  keepServerAlive(() => service.settled(answer.runId))
  return json(answer)
})

/** The reply is written in the background; a server that shuts down waits for it. */
function keepServerAlive(settled: () => Promise<void>): void {
  try {
    after(settled)
  } catch {
    // Outside Next there is no server to keep alive.
  }
}
