import { temporaryHeader } from '@/lib/shared/conversation/wire/addresses'
import { whoHeader } from '@/lib/shared/conversation/settings/who'
import type { CacheNames } from './offline-caches'

/* Caches the server's last responses to what is read at every start: the list, opened chats, the models. */

/** Mostly chats; the list and the models are among them. */
const mostRows = 60
const mostChars = 4_000_000
const keptAtHeader = 'x-kept-at'
/** The mark of the row's owner: each row names it itself, whatever pages are cached beside it. */
const keptOfHeader = 'x-kept-of'

export interface CachedRows {
  /**
   * Answers from the network while it responds; else with the last response and `keptAt`. If there is none, rejects as
   * the network did.
   */
  readonly answer: (request: Request) => Promise<Response>
  readonly drop: (url: string) => Promise<void>
  readonly forget: () => Promise<void>
}

export interface CachedRowsPorts {
  readonly caches: CacheStorage
  readonly fetch: (request: Request) => Promise<Response>
  readonly names: CacheNames
  /** The user whose rows may be cached; null: nobody's. */
  readonly owner: () => Promise<string | null>
  readonly now: () => number
  /** Work that continues after the response. */
  readonly later: (work: Promise<unknown>) => void
}

export function createCachedRows({ caches, fetch, names, owner, now, later }: CachedRowsPorts): CachedRows {
  const open = () => caches.open(names.rows)

  async function keep(url: string, response: Response, who: string): Promise<void> {
    const body = await response.text()
    // The user signed out meanwhile: the cache is cleared, so nothing may be stored after that.
    if ((await owner()) !== who) return
    const cache = await open()
    await cache.delete(url)
    if (body.length > mostChars) return
    const headers = { 'content-type': 'application/json', [keptAtHeader]: String(now()), [keptOfHeader]: who }
    await cache.put(url, new Response(body, { headers }))
    const all = await cache.keys()
    for (const old of all.slice(0, Math.max(0, all.length - mostRows))) await cache.delete(old)
  }

  async function kept(url: string, who: string): Promise<Response | null> {
    const found = await (await open()).match(url)
    if (found?.headers.get(keptOfHeader) !== who) return null
    const said = (await found.json()) as object
    return Response.json({ ...said, keptAt: Number(found.headers.get(keptAtHeader)) })
  }

  const drop = async (url: string) => void (await (await open()).delete(url, { ignoreSearch: true }))
  const forget = async () => void (await caches.delete(names.rows))

  async function answer(request: Request): Promise<Response> {
    const { url } = request
    const asked = fetch(request).catch((error: unknown) => error as Error)
    // A request with another name than the cached pages must not get these rows.
    const who = request.headers.get(whoHeader) ?? ''
    const isOwners = who === (await owner())
    const response = await asked
    const isAnswer = response instanceof Response
    if (isAnswer && response.status === 401) later(forget())
    else if (isAnswer && response.status === 404) later(drop(url))
    else if (isAnswer && response.headers.has(temporaryHeader)) later(drop(url))
    else if (isAnswer && response.status === 200 && isOwners) later(keep(url, response.clone(), who))
    // A proxy's response for a server that is gone.
    const isGone = !isAnswer || (response.status >= 502 && response.status <= 504)
    const copy = isGone && isOwners ? await kept(url, who).catch(() => null) : null
    if (copy) return copy
    if (isAnswer) return response
    throw response
  }
  return { answer, drop, forget }
}
