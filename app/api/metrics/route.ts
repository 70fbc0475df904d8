import { createHash, timingSafeEqual } from 'node:crypto'
import { makeRefusal } from '@/lib/i18n/t'
import { logProblem } from '@/lib/server/wiring/log/log.server'
import { getServer } from '@/lib/server/wiring/server'
import { settingsOrThrow } from '@/lib/server/wiring/settings.server'
import { errorResponse, respondToError, withBuild } from '../respond'

export const dynamic = 'force-dynamic'

/**
 * Numbers for Prometheus, for who says `NOD_METRICS_TOKEN`; without one there is nothing here, no matter who asks and from where: behind a
 * proxy everyone comes from this machine. Neither name nor access token is asked: a scraper has an address and this token.
 */
export async function GET(request: Request): Promise<Response> {
  return withBuild(await answer(request))
}

async function answer(request: Request): Promise<Response> {
  try {
    const token = settingsOrThrow().NOD_METRICS_TOKEN
    const { metrics } = await getServer()
    if (token === null || !metrics) return errorResponse('not-found', makeRefusal('server.nothing-here'), 404)
    if (!isSame(request.headers.get('authorization') ?? '', `Bearer ${token}`)) {
      return errorResponse('access-needed', makeRefusal('server.metrics-token'), 401, {
        'www-authenticate': 'Bearer',
      })
    }
    const { type, text } = await metrics()
    return new Response(text, { headers: { 'content-type': type, 'cache-control': 'no-store' } })
  } catch (error) {
    return respondToError(error, (cause) => logProblem('no metrics', cause))
  }
}

/** Hashes of equal length: neither the length nor a common beginning shows in the time. */
const isSame = (said: string, wanted: string): boolean => timingSafeEqual(hashOf(said), hashOf(wanted))

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest()
