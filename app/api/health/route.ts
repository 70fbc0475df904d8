import { logProblem } from '@/lib/wiring/log.server'
import { getServer } from '@/lib/wiring/server'
import { json, respondToError } from '../respond'

export const dynamic = 'force-dynamic'

/** For load balancers: 200 when the store answers, else 503 with a sentence. Knows no owner. */
export async function GET(): Promise<Response> {
  try {
    const { store } = await getServer()
    await store.ping()
    return json({ status: 'ok', store: store.kind })
  } catch (error) {
    return respondToError(error, (cause) => logProblem('not healthy', cause))
  }
}
