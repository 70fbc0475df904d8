import { wallClock } from '@/lib/base/clocks'
import { basePath, withBase } from '@/lib/base/base-path'
import { insteadHeader } from '@/lib/shared/conversation/wire/addresses'
import { createBuiltFiles } from './built-files'
import { createCachedPages, kindOfRequest, needsServer, type PageCopy, createCachedRows } from './cached-pages'
import { cacheNames } from './offline-caches'
import type { FetchEvent, ServiceWorkerScope, WindowClient } from './worker-scope'

/*
 * Keeps Nod usable without its server: it caches one build's files, the pages that need nothing else, and the chats
 * that were viewed last. It never answers a write, and a newer worker waits until it is asked to take over.
 */

/** Inserted by the build (`scripts/release/service-worker.mjs`): its name, and the files that its pages may request. */
declare const BUILD_NAME: string
declare const BUILT_FILES: readonly string[]

const scope = globalThis as unknown as ServiceWorkerScope
const build = BUILD_NAME
const names = cacheNames(basePath)
/** A server that takes longer to begin a page counts as away. */
const timeoutMs = 4_000

const pages = createCachedPages({
  caches,
  names,
  build,
  withBase,
  fetch: (address, init) => fetch(address, init),
  newNonce: () => btoa(crypto.randomUUID()),
  onOther: () => rows.forget(),
})
const rows = createCachedRows({
  caches,
  names,
  owner: pages.owner,
  fetch: (request) => fetch(request),
  now: wallClock,
  later: (work) => void work.catch(() => undefined),
})
const files = createBuiltFiles({
  caches,
  names,
  build,
  fetch: (request) => fetch(request),
  onGone: pages.forget,
})

scope.addEventListener('install', (event) =>
  event.waitUntil(files.keepAll(BUILT_FILES).then(() => pages.keepAll().catch(() => undefined))),
)

scope.addEventListener('activate', (event) => event.waitUntil(scope.clients.claim()))

scope.addEventListener('message', (event) => {
  if (event.data === 'take over') event.waitUntil(scope.skipWaiting())
  if (event.data === `begun ${build}` && event.source) event.waitUntil(giveUpOldBuilds(event.source.id))
})

scope.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  const isPage = request.mode === 'navigate' && request.destination === 'document'
  const asked = kindOfRequest({ method: request.method, url, isPage, origin: scope.location.origin, basePath })
  if (asked === null) return
  switch (asked.kind) {
    case 'page':
      return event.respondWith(answerPage(event, asked.copy, asked.chatId))
    case 'elsewhere':
      return event.respondWith(answerElsewhere(request))
    case 'built':
      return event.respondWith(files.answer(request, names.build(build)))
    case 'large':
      return event.respondWith(files.answer(request, names.large))
    case 'settled-late':
      return event.respondWith(files.answerFreshly(request, names.build(build)))
    case 'rows':
      return event.respondWith(rows.answer(request))
    case 'deleted':
      return event.waitUntil(rows.drop(request.url))
  }
})

/** Answers from the server; from the cache if the server does not answer in time. */
async function answerPage(event: FetchEvent, copy: PageCopy, chatId: string | null): Promise<Response> {
  const asked = fetch(event.request)
  const inTime = await Promise.race([
    asked.catch(() => null),
    new Promise<null>((end) => setTimeout(end, timeoutMs, null)),
  ])
  const isGone = inTime === null || (inTime.status >= 502 && inTime.status <= 504)
  if (isGone) {
    const kept = await pages.answer(copy, chatId)
    if (kept) return kept
  }
  const response = inTime ?? (await asked)
  // A user without access must no longer read cached data.
  if (response.headers.has(insteadHeader)) event.waitUntil(Promise.all([pages.forget(), rows.forget()]))
  else if (response.status === 200 && !response.redirected) event.waitUntil(seePage(response.clone()))
  return response
}

const seePage = async (response: Response): Promise<void> => {
  if (!(response.headers.get('content-type') ?? '').startsWith('text/html')) return
  await pages.sawPage(await response.text()).catch(() => undefined)
}

async function answerElsewhere(request: Request): Promise<Response> {
  try {
    return await fetch(request)
  } catch (error) {
    if (await pages.answer(needsServer, null)) return Response.redirect(withBase(needsServer), 302)
    throw error
  }
}

/**
 * Old tabs need their scripts: they are deleted only when a single page, of this build, is open. A waiting worker keeps
 * its own files.
 */
async function giveUpOldBuilds(asking: string): Promise<void> {
  const { waiting, installing } = scope.registration
  const open = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true })
  if (waiting || installing || open.some(({ id }) => id !== asking)) return
  const own = new Set([names.build(build), names.pages(build), names.large, names.rows])
  for (const name of await caches.keys()) if (name.startsWith(names.own) && !own.has(name)) await caches.delete(name)
}

scope.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openChat(String(event.notification.data)))
})

async function openChat(address: string): Promise<void> {
  const open = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const there = open.find(({ url }: WindowClient) => new URL(url).pathname === address)
  if (there) await there.focus()
  else await scope.clients.openWindow(address)
}
