import { getServer } from '@/lib/wiring/server'
import { json, respondToError, withBuild } from '../respond'

export const dynamic = 'force-dynamic'

/** For load balancers: 200 when the store answers, else 503 with a sentence. Knows no owner. */
export async function GET(): Promise<Response> {
  try {
    const { store } = await getServer()
    await store.ping()
    return withBuild(json({ status: 'ok', store: store.kind }))
  } catch (error) {
    return withBuild(respondToError(error, (cause) => console.warn('[nod] not healthy:', cause)))
  }
}
