import { withoutBase } from '@/lib/base/base-path'
import { appHeaders, dataHeaders } from '@/lib/server/http/response-headers'
import { webRequest, writeAnswer } from '@/lib/server/serving/web-request.server'
import type { DirectRoutes } from '@/lib/server/wiring/process/direct-routes.server'
import { POST as append } from './chat/route'
import { POST as create } from './conversations/route'
import { GET as health } from './health/route'
import { GET as ready } from './ready/route'
import { answerEvents } from './runs/[id]/events/answer-events'

type Route = (request: Request, context: { readonly params: Promise<unknown> }) => Promise<Response> | Response

/*
 * What a reply needs of the server and who balances asks, as often as all else together: Next's router, its context and its streams take
 * more time than the answer. The routes are the very same, so that they hold under `next dev` too; whatever is not written
 * exactly so is left to Next, which knows what it means.
 */
const wholeAnswers: ReadonlyMap<string, Route> = new Map<string, Route>([
  ['POST /api/chat', append],
  ['POST /api/conversations', create],
  // Where no one else comes yet, what Next loads with its first request stays unloaded.
  ['GET /api/health', health],
  ['GET /api/ready', ready],
])

const EVENTS = /^\/api\/runs\/([\w-]{1,100})\/events$/

/** As `next.config.ts` has it for what is under `/api`. */
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
