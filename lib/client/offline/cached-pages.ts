import { temporaryHeader, whoHeader, insteadHeader } from '@/lib/shared/conversation/wire/addresses'
import type { CacheNames } from './offline-caches'
import { withoutBasePath } from '@/lib/base/base-path'

/* Caches the server's last responses to what is read at every start: the list, opened chats, the models. */

/** Mostly chats; the list and the models are among them. */
const maxRows = 60
const maxChars = 4_000_000
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
    if (body.length > maxChars) return
    const headers = { 'content-type': 'application/json', [keptAtHeader]: String(now()), [keptOfHeader]: who }
    await cache.put(url, new Response(body, { headers }))
    const all = await cache.keys()
    for (const old of all.slice(0, Math.max(0, all.length - maxRows))) await cache.delete(old)
  }

  async function kept(url: string, who: string): Promise<Response | null> {
    const found = await (await open()).match(url)
    if (found?.headers.get(keptOfHeader) !== who) return null
    const stored = (await found.json()) as object
    return Response.json({ ...stored, keptAt: Number(found.headers.get(keptAtHeader)) })
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

interface AskedFor {
  readonly method: string
  readonly url: URL
  /** A navigation of a whole tab, not of a frame. */
  readonly isPage: boolean
  /** The origin of the service worker. */
  readonly origin: string
  readonly basePath: string
}

/**
 * How the service worker handles a request. `page`: a page that works without the server, from `copy`. `elsewhere`: one
 * that does not. `built`, `large`: a file whose name contains its version. `settled-late`: a built file whose headers
 * follow the server's settings. `rows`: data that may be read without the server. `deleted`: a chat that is being
 * deleted. Null: not handled, above all writes.
 */
type RequestKind =
  | { readonly kind: 'page'; readonly copy: PageCopy; readonly chatId: string | null }
  | { readonly kind: 'elsewhere' | 'built' | 'large' | 'settled-late' | 'rows' | 'deleted' }
  | null

/** The cached pages. All chats share one, stored under an id that no chat has. */
export type PageCopy = '/' | '/playground' | '/lab' | '/verify' | typeof needsServer | typeof anyChat

export const anyChatId = '00000000-0000-4000-8000-000000000000'
export const anyChat = `/c/${anyChatId}`
/** The page shown without the server instead of one that needs it. */
export const needsServer = '/offline'
export const pageCopies: readonly PageCopy[] = ['/', anyChat, '/playground', '/lab', '/verify', needsServer]

const lateWorkers: ReadonlySet<string> = new Set(['/workers/models.js', '/workers/wllama.js'])
const readable = /^\/api\/(?:models|python|conversations|conversations\/([\w-]+))$/

export function kindOfRequest({ method, url, isPage, origin, basePath }: AskedFor): RequestKind {
  if (url.origin !== origin) return null
  const isBelow = basePath === '' || url.pathname === basePath || url.pathname.startsWith(`${basePath}/`)
  if (!isBelow) return null
  const path = withoutBasePath(url.pathname, basePath)
  if (method === 'DELETE') return /^\/api\/conversations\/[\w-]+$/.test(path) ? { kind: 'deleted' } : null
  if (method !== 'GET') return null
  if (isPage) return pageOf(path)
  if (lateWorkers.has(path)) return { kind: 'settled-late' }
  if (/^\/(?:sandbox-libs\/(?:pyodide|wheel)-|workers\/wllama-|api\/python\/[0-9a-f]{64}$)/.test(path))
    return { kind: 'large' }
  if (path.startsWith('/_next/static/') || path.startsWith('/drawing/')) return { kind: 'built' }
  // Without their version, these are requested only by a person who opens them directly.
  if (/^\/(?:workers|sandbox-libs)\/|^\/wllama\.html$/.test(path))
    return url.searchParams.has('v') ? { kind: 'built' } : null
  return isRows(path, url.searchParams) ? { kind: 'rows' } : null
}

function pageOf(path: string): RequestKind {
  const own = pageCopies.find((copy) => copy === path)
  if (own !== undefined && own !== anyChat) return { kind: 'page', copy: own, chatId: null }
  // The id is written into the copy: letters, digits, `_` and `-` only, nothing that could be markup.
  const chatId = /^\/c\/([\w-]{1,64})\/?$/.exec(path)?.[1] ?? null
  if (chatId !== null) return { kind: 'page', copy: anyChat, chatId }
  return path.startsWith('/api/') ? null : { kind: 'elsewhere' }
}

/** The first page of the list, a chat as it is opened, the models: not searches, nor later pages. */
function isRows(path: string, asked: URLSearchParams): boolean {
  const found = readable.exec(path)
  if (!found) return false
  return found[1] === undefined ? asked.size === 0 : [...asked.keys()].every((key) => key === 'last')
}

/*
 * A page is cached with its policy; both contain the same nonce. Each time it is shown, both get a new one, so that a
 * nonce that was seen once is worthless.
 */

/** The user and appearance of a page, as its first tag says. */
interface PageMark {
  readonly build: string
  /** The account; '' without one. */
  readonly who: string
  /** All of the reader's choices that are in the page: language, theme, whether they are signed in. */
  readonly look: string
}

/** Null: not a page of the app, but a refusal or an error. */
export function markOfPage(html: string): PageMark | null {
  const tag = /<html\b[^>]*>/i.exec(html)?.[0]
  if (tag === undefined) return null
  const attribute = (name: string) => new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? ''
  const build = attribute('data-build')
  if (build === '') return null
  const look = ['lang', 'data-theme', 'data-account', 'data-offline'].map(attribute).join(' ')
  return { build, who: attribute('data-who'), look }
}

const noncePattern = /'nonce-([\w+/=-]+)'/

/** The page with a new nonce, and with this chat's id if it is the copy for all chats. Null: it has no nonce. */
export function refreshedPage(
  { html, policy }: { readonly html: string; readonly policy: string },
  { nonce, chatId }: { readonly nonce: string; readonly chatId: string | null },
): { readonly html: string; readonly policy: string } | null {
  const old = noncePattern.exec(policy)?.[1]
  if (old === undefined) return null
  const withNonce = html.replaceAll(old, nonce)
  return {
    html: chatId === null ? withNonce : withNonce.replaceAll(anyChatId, chatId),
    policy: policy.replaceAll(old, nonce),
  }
}

/*
 * The pages that work without the server, in their latest version: of this build only, so that all their scripts are
 * cached.
 */

/**
 * The headers of a page that are valid for a copy; the body is no longer compressed, and cookies are never visible
 * here.
 */
const keptHeaders = [
  'content-type',
  'content-security-policy',
  'permissions-policy',
  'referrer-policy',
  'x-content-type-options',
] as const

const markKey = '/mark'

export interface CachedPages {
  /** Fetches all of them; responses that are no page (a sign-in, a refusal) are left out. */
  readonly keepAll: () => Promise<void>
  /** Null: it is not cached. */
  readonly answer: (copy: PageCopy, chatId: string | null) => Promise<Response | null>
  /** Call it with a page that came from the network: if its user or appearance differs, all are fetched again. */
  readonly sawPage: (html: string) => Promise<void>
  /** The user of the cached pages; null while there are none. */
  readonly owner: () => Promise<string | null>
  readonly forget: () => Promise<void>
}

export interface CachedPagesPorts {
  readonly caches: CacheStorage
  readonly fetch: (address: string, init: RequestInit) => Promise<Response>
  readonly names: CacheNames
  readonly build: string
  readonly withBase: (path: string) => string
  readonly newNonce: () => string
  /** Another user is here: all other cached data of the previous one must be deleted. */
  readonly onOther: () => Promise<void>
}

export function createCachedPages(ports: CachedPagesPorts): CachedPages {
  const { caches, names, build, withBase } = ports
  const open = () => caches.open(names.pages(build))

  async function keptMark(): Promise<PageMark | null> {
    const kept = await (await open()).match(markKey)
    return kept ? ((await kept.json()) as PageMark) : null
  }

  async function keepAll(): Promise<void> {
    const cache = await open()
    for (const copy of pageCopies) {
      const response = await ports.fetch(withBase(copy), { credentials: 'same-origin', cache: 'no-store' })
      if (response.status !== 200 || response.redirected || response.headers.has(insteadHeader)) continue
      const html = await response.text()
      const mark = markOfPage(html)
      if (mark?.build !== build) continue
      const headers = keptHeaders.flatMap((name): [string, string][] => {
        const value = response.headers.get(name)
        return value === null ? [] : [[name, value]]
      })
      await cache.put(withBase(copy), new Response(html, { headers }))
      await cache.put(markKey, Response.json(mark))
    }
  }

  async function forget(): Promise<void> {
    for (const name of await caches.keys()) if (name.startsWith(`${names.own}pages:`)) await caches.delete(name)
  }

  return {
    keepAll,
    forget,
    async answer(copy, chatId) {
      const kept = await (await open()).match(withBase(copy))
      if (!kept) return null
      const policy = kept.headers.get('content-security-policy') ?? ''
      const page = refreshedPage({ html: await kept.text(), policy }, { nonce: ports.newNonce(), chatId })
      if (!page) return null
      const headers = new Headers(kept.headers)
      headers.set('content-security-policy', page.policy)
      return new Response(page.html, { headers })
    },
    async sawPage(html) {
      const seen = markOfPage(html)
      if (!seen) return
      const kept = await keptMark()
      if (kept && kept.who !== seen.who) {
        await forget()
        await ports.onOther()
      }
      if (seen.build === build && (kept?.who !== seen.who || kept.look !== seen.look)) await keepAll()
    },
    owner: async () => (await keptMark())?.who ?? null,
  }
}
