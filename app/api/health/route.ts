import { closeWhileDraining } from '@/lib/server/wiring/process/draining.server'
import { json, withBuild } from '../respond'

export const dynamic = 'force-dynamic'

/**
 * Liveness: the process answers, whatever its store does, even during shutdown. For supervisors that restart hanging
 * processes; `/api/ready` says whether to send requests here. Needs no owner.
 */
export function GET(): Response {
  return withBuild(closeWhileDraining(json({ status: 'ok' })))
}
