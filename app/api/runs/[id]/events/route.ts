import { AppError } from '@/lib/base/app-error'
import { param, withOwner } from '../../../with-owner'
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
  if (request.signal.aborted) gone.abort()
  request.signal.addEventListener('abort', () => gone.abort(), { once: true })
  const events = await service.events(owner, param(params, 'id'), afterOf(url), gone.signal)
  return new Response(ndjsonOf(events, { gone, keepAliveMs: KEEP_ALIVE_MS }), { headers })
})

function afterOf(url: URL): number {
  const text = url.searchParams.get('after') ?? '0'
  if (!/^\d{1,9}$/.test(text)) throw new AppError('bad-request', '`after` must be a whole number from 0 up.')
  return Number(text)
}
