import { isDraining, closeWhileDraining } from '@/lib/wiring/draining.server'
import { serverRefusal } from '@/lib/words/server'
import { logProblem } from '@/lib/wiring/log.server'
import { getServer } from '@/lib/wiring/server'
import { errorResponse, json, respondToError, withBuild } from '../respond'

export const dynamic = 'force-dynamic'

/**
 * For load balancers: 200 when the store answers and has room, else 503 with a sentence; 503 also from the signal to go on,
 * while what is being written here is still being finished. Knows no owner.
 */
export async function GET(): Promise<Response> {
  if (isDraining()) {
    return closeWhileDraining(errorResponse('draining', serverRefusal('server.draining'), 503))
  }
  try {
    const { store } = await getServer()
    await store.ping()
    return withBuild(json({ status: 'ok', store: store.kind }))
  } catch (error) {
    return withBuild(respondToError(error, (cause) => logProblem('not healthy', cause)))
  }
}
