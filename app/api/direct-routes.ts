import { withoutBase } from '@/lib/base/base-path'
import { appHeaders, dataHeaders } from '@/lib/server/http/response-headers'
import { webRequest, writeAnswer } from '@/lib/server/serving/web-request.server'
import type { DirectRoutes } from '@/lib/server/wiring/process/direct-routes.server'
import { POST as append } from './chat/route'
import { POST as create } from './conversations/route'
import { GET as health } from './health/route'
import { GET as ready } from './ready/route'
import { answerEvents } from './ndjson'

type Route = (request: Request, context: { readonly params: Promise<unknown> }) => Promise<Response> | Response

/*
 * Serves the requests for replies and for load balancer checks directly, because they are as frequent as all others
 * together, and Next's router, context and streams take more time than the answer itself. The handlers are the routes'
 * own, so they also work under `next dev`. Requests in any other form are left to Next.
 */
const wholeAnswers: ReadonlyMap<string, Route> = new Map<string, Route>([
  ['POST /api/chat', append],
  ['POST /api/conversations', create],
  // Until other requests come, what Next loads with its first request stays unloaded.
  ['GET /api/health', health],
  ['GET /api/ready', ready],
])

const EVENTS = /^\/api\/runs\/([\w-]{1,100})\/events$/

/** As in `next.config.ts` for everything under `/api`. */
const headers = [...appHeaders, ...dataHeaders]

export const directRoutes: DirectRoutes = async (request, response, compress) => {
  const { method = '', url = '' } = request
  const path = withoutBase(url.split('?', 1)[0] ?? '')
  const route = wholeAnswers.get(`${method} ${path}`)
  const id = method === 'GET' ? EVENTS.exec(path)?.[1] : undefined
  if (!route && id === undefined) return false

  for (const { key, value } of headers) response.setHeader(key, value)
  if (id !== undefined) {
    await answerEvents(webRequest(request), id, response)
    return true
  }
  await compress()
  if (route) await writeAnswer(response, await route(webRequest(request), { params: Promise.resolve({}) }))
  return true
}
