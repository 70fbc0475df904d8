import { closeWhileDraining } from '@/lib/server/wiring/process/draining.server'
import { json, withBuild } from '../respond'

export const dynamic = 'force-dynamic'

/**
 * The process is alive: it answers, whatever its store does and also while it goes down. For who restarts what hangs; whether
 * requests should be sent here says `/api/ready`. Knows no owner.
 */
export function GET(): Response {
  return withBuild(closeWhileDraining(json({ status: 'ok' })))
}
