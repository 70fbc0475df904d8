import { createHash, timingSafeEqual } from 'node:crypto'
import { makeRefusal } from '@/lib/i18n/t'
import { logProblem } from '@/lib/server/wiring/log/log.server'
import { getServer } from '@/lib/server/wiring/server'
import { settingsOrThrow } from '@/lib/server/wiring/settings.server'
import { errorResponse, respondToError, withBuild } from '../respond'

export const dynamic = 'force-dynamic'

/**
 * Metrics for Prometheus, for callers with `NOD_METRICS_TOKEN`. Without a token the route does not exist for anyone,
 * because behind a proxy every request comes from this machine. Host name and access token are not checked: a scraper
 * has only an address and this token.
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

/** Compares hashes of equal length, so that the time reveals neither the length nor a common prefix. */
const isSame = (given: string, wanted: string): boolean => timingSafeEqual(hashOf(given), hashOf(wanted))

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest()
