import { setTimeout as wait } from 'node:timers/promises'
import { closeWhileDraining, isDraining } from '@/lib/server/wiring/process/draining.server'
import { logProblem } from '@/lib/server/wiring/log/log.server'
import { getServer } from '@/lib/server/wiring/server'
import { makeError, makeRefusal } from '@/lib/i18n/t'
import { errorResponse, json, respondToError, withBuild } from '../respond'

export const dynamic = 'force-dynamic'

/** A load balancer asks every few seconds, and treats a missing answer like a failure. */
const STORE_WAIT_MS = 3_000

/**
 * For load balancers: 200 while requests should be sent here, otherwise 503 with a sentence and `Retry-After`. 503
 * applies:
 * - from the shutdown signal on, while replies in progress are finished
 * - before the store is opened and its tables are migrated
 * - when the store does not answer
 * - when the disk is full
 * A server that writes as many replies as it can still serves reads, so only `full` reports that. A balancer with other
 * servers asks `?full=503`. Needs no owner.
 */
export async function GET(request?: Request): Promise<Response> {
  return withBuild(closeWhileDraining(await answer(request)))
}

const sum = <Name extends string>(all: readonly Readonly<Record<Name, number>>[], name: Name): number =>
  all.reduce((total, one) => total + one[name], 0)

async function answer(request: Request | undefined): Promise<Response> {
  if (isDraining()) return errorResponse('draining', makeRefusal('server.draining'), 503)
  try {
    const timeout = new AbortController()
    const late = wait(STORE_WAIT_MS, undefined, { signal: timeout.signal }).then(() => {
      throw makeError('unavailable', 'store.no-answer')
    })
    const answering = getServer().then(async (server) => {
      await server.store.ping()
      return server
    })
    const { store, service, health } = await Promise.race([answering, late]).finally(() => timeout.abort())
    // Workers of a node share its capacity: a full worker does not forward requests, but the next one reaches another
    // worker.
    const workers = (await health?.ofNode()) ?? [service.load()]
    const [replies, maxReplies] = [sum(workers, 'replies'), sum(workers, 'maxReplies')]
    const full = replies >= maxReplies
    const minds = request !== undefined && new URL(request.url).searchParams.get('full') === '503'
    if (full && minds) return errorResponse('full', makeRefusal('chat.server-full'), 503)
    return json({ status: 'ok', store: store.kind, workers: workers.length, replies, maxReplies, full })
  } catch (error) {
    return respondToError(error, (cause) => logProblem('not ready', cause))
  }
}
