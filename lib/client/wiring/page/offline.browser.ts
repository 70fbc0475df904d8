import { cachesOrNull, localStorageOrNull, openChannel, serviceWorkersOrNull } from '@/lib/base/features.browser'
import { basePath, builtFile, withBase } from '@/lib/base/base-path'
import { viewAddress } from '@/lib/client/api/address'
import { cacheNames } from '@/lib/client/offline/offline-caches'
import { fetchNoting, pageBuild } from '@/lib/client/wiring/nod-api.browser'

/*
 * The page's part of working offline: it registers the service worker, preloads what only frames can fetch, and removes
 * everything if the operator turned it off.
 */

const pageData = document.documentElement.dataset
const script = withBase('/sw.js')
/** Without a trailing slash: the first page is there. */
const scope = withBase('/')
/** Their responses have an opaque origin: only the browser's own cache serves them again. */
const sealedFrames = [builtFile('/sandbox.html'), builtFile('/show.html'), builtFile('/diagram.html')]
const framesKey = 'nod-frames'
const frameWaitMs = 20_000
const takeOverMs = 3_000
/** A chat without changes for this long is requested once more, so that the cached copy is current. */
const quietMs = 8_000

let started = false

/** Once per page; does nothing in development, on plain http, and with data saving on. */
export async function cacheForOffline(): Promise<void> {
  // Missing on plain http.
  const workers = serviceWorkersOrNull()
  if (started || !workers || (pageData['build'] ?? '') === '') return
  started = true
  if (pageData['offline'] === 'off') return await abandon(workers)
  pageBuild.reloadBy(() => void takeOver(workers).finally(() => window.location.reload()))
  if (savesData()) return
  const registration = await workers.register(script, { scope, updateViaCache: 'none' }).catch((error: unknown) => {
    console.error('Nod can’t be kept for the time without a network.', error)
    return null
  })
  if (!registration) return
  // The server is newer, so there is a newer service worker.
  pageBuild.subscribe(() => void registration.update().catch(() => undefined))
  const { active } = await workers.ready
  active?.postMessage(`begun ${pageData['build']}`)
  keepChatsCurrent()
  await warmFrames()
}

const savesData = () =>
  (navigator as { readonly connection?: { readonly saveData?: boolean } }).connection?.saveData === true

/**
 * The worker that unregisters itself replaces the current one, which would otherwise keep caching until the page is
 * left.
 */
async function abandon(workers: ServiceWorkerContainer): Promise<void> {
  const registration = await workers.getRegistration(scope)
  if (registration) {
    const changed = controllerChange(workers)
    await registration.update().catch(() => undefined)
    await changed
    await registration.unregister()
  }
  const { own } = cacheNames(basePath)
  const caches = cachesOrNull()
  for (const name of (await caches?.keys()) ?? []) if (name.startsWith(own)) await caches?.delete(name)
}

/** Resolves when another worker controls this page, and after a while in any case. */
const controllerChange = (workers: ServiceWorkerContainer): Promise<unknown> =>
  Promise.race([
    new Promise((resolve) => workers.addEventListener('controllerchange', resolve, { once: true })),
    new Promise((resolve) => setTimeout(resolve, takeOverMs)),
  ])

/** Makes the newer build's worker control this page, if it is installed; a reload then loads that build. */
async function takeOver(workers: ServiceWorkerContainer): Promise<void> {
  const waiting = (await workers.getRegistration(scope))?.waiting
  if (!waiting) return
  const taken = controllerChange(workers)
  waiting.postMessage('take over')
  await taken
}

/**
 * A page requests a chat when it opens it and then follows it by itself, while the service worker caches responses. So
 * once a chat has been quiet for a while, it is requested again.
 */
function keepChatsCurrent(): void {
  const timers = new Map<string, ReturnType<typeof setTimeout>>()
  // Another channel of the same name, so that it receives this page's own messages, too.
  const channel = openChannel('nod:conversations')
  channel.addEventListener('message', ({ data }: MessageEvent<{ readonly conversationId: string | null }>) => {
    const { conversationId: id } = data
    if (id === null) return
    clearTimeout(timers.get(id))
    const ask = () => {
      timers.delete(id)
      if (navigator.onLine) void fetchNoting(withBase(viewAddress(id))).catch(() => undefined)
    }
    timers.set(id, setTimeout(ask, quietMs))
  })
}

/** Each is loaded once, hidden; their addresses name their content. */
async function warmFrames(): Promise<void> {
  const known = sealedFrames.join(' ')
  if (storedFrames() === known) return
  const loaded = await Promise.all(sealedFrames.map(loadFrame))
  if (loaded.every(Boolean)) storeFrames(known)
}

function loadFrame(address: string): Promise<boolean> {
  const frame = document.createElement('iframe')
  frame.hidden = true
  frame.setAttribute('sandbox', 'allow-scripts')
  frame.setAttribute('aria-hidden', 'true')
  frame.src = address
  return new Promise<boolean>((resolve) => {
    const end = (came: boolean) => () => {
      frame.remove()
      resolve(came)
    }
    frame.addEventListener('load', end(true), { once: true })
    setTimeout(end(false), frameWaitMs)
    document.body.append(frame)
  })
}

function storedFrames(): string | null {
  try {
    return localStorageOrNull()?.getItem(framesKey) ?? null
  } catch {
    return null
  }
}

function storeFrames(known: string): void {
  try {
    localStorageOrNull()?.setItem(framesKey, known)
  } catch {
    // They are loaded again with the next page.
  }
}
