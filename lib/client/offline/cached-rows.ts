import { temporaryHeader } from '@/lib/shared/conversation/wire/addresses'
import { whoHeader } from '@/lib/shared/conversation/settings/who'
import type { CacheNames } from './offline-caches'

/* What the server said last to what is read at every start: its list, the chats that were opened, its models. */

/** Chats, mostly; the list and the models are among them. */
const mostRows = 60
const mostChars = 4_000_000
const keptAtHeader = 'x-kept-at'
/** Whose it is, in the name's own mark: a row tells it itself, whatever pages are kept beside it. */
const keptOfHeader = 'x-kept-of'

export interface CachedRows {
  /** From the network while it answers; else what it said last, with `keptAt`. Rejects as the network did where there is none. */
  readonly answer: (request: Request) => Promise<Response>
  readonly drop: (url: string) => Promise<void>
  readonly forget: () => Promise<void>
}

export interface CachedRowsPorts {
  readonly caches: CacheStorage
  readonly fetch: (request: Request) => Promise<Response>
  readonly names: CacheNames
  /** Whose rows may be kept; null: no one's. */
  readonly owner: () => Promise<string | null>
  readonly now: () => number
  /** What continues behind an answer. */
  readonly later: (work: Promise<unknown>) => void
}

export function createCachedRows({ caches, fetch, names, owner, now, later }: CachedRowsPorts): CachedRows {
  const open = () => caches.open(names.rows)

  async function keep(url: string, response: Response, who: string): Promise<void> {
    const body = await response.text()
    // Signed out while it came: what was kept is gone by now, and this must not come after.
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
    // A request that says another name than the pages that are kept is not for these rows.
    const who = request.headers.get(whoHeader) ?? ''
    const isOwners = who === (await owner())
    const response = await asked
    const isAnswer = response instanceof Response
    if (isAnswer && response.status === 401) later(forget())
    else if (isAnswer && response.status === 404) later(drop(url))
    else if (isAnswer && response.headers.has(temporaryHeader)) later(drop(url))
    else if (isAnswer && response.status === 200 && isOwners) later(keep(url, response.clone(), who))
    // A proxy's word for a server that is gone.
    const isGone = !isAnswer || (response.status >= 502 && response.status <= 504)
    const copy = isGone && isOwners ? await kept(url, who).catch(() => null) : null
    if (copy) return copy
    if (isAnswer) return response
    throw response
  }
  return { answer, drop, forget }
}
