import { KEEP_ALIVE_MS, ndjsonOf, openEvents } from '../../../ndjson'

export const dynamic = 'force-dynamic'

/** For the development server; the built one uses `app/api/ndjson.ts`. */
export async function GET(request: Request, context: { readonly params: Promise<unknown> }): Promise<Response> {
  const gone = new AbortController()
  const leave = () => gone.abort()
  if (request.signal.aborted) leave()
  const { head, lines, close } = await openEvents(request, context, gone)
  if (!lines) return head
  request.signal.addEventListener('abort', leave, { once: true })
  const onClose = () => {
    request.signal.removeEventListener('abort', leave)
    close()
  }
  return new Response(ndjsonOf(lines, { gone, keepAliveMs: KEEP_ALIVE_MS, onClose }), { headers: head.headers })
}
