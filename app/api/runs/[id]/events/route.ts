import { afterOf, param, withOwner } from '../../../with-owner'
import { ndjsonOf } from './ndjson'

export const dynamic = 'force-dynamic'

const KEEP_ALIVE_MS = 10_000

const headers = {
  'content-type': 'application/x-ndjson; charset=utf-8',
  // Nothing on the way may keep, pack or hold back what should arrive word by word.
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
}

export const GET = withOwner({}, async ({ owner, service, params, url, request }) => {
  const gone = new AbortController()
  const leave = () => gone.abort()
  if (request.signal.aborted) leave()
  const run = [owner, param(params, 'id'), afterOf(url), gone.signal] as const
  const events = await (url.searchParams.has('places') ? service.watch(...run) : service.events(...run))
  request.signal.addEventListener('abort', leave, { once: true })
  const onClose = () => request.signal.removeEventListener('abort', leave)
  return new Response(ndjsonOf(events, { gone, keepAliveMs: KEEP_ALIVE_MS, onClose }), { headers })
})
