import { basePath, withBase } from '@/lib/base/base-path'
import { cacheNames, isPrivateCache } from './offline-caches'

/**
 * Takes away what this browser keeps of a person to be read without the server. Never rejects: a browser that keeps no caches
 * has none to clear.
 * @param caches null where the page has none (plain http)
 */
export async function forgetPrivate(caches: CacheStorage | null): Promise<void> {
  try {
    if (!caches) return
    const names = await caches.keys()
    const own = cacheNames(basePath)
    await Promise.all(names.filter((name) => isPrivateCache(name, own)).map((name) => caches.delete(name)))
  } catch {
    // Refused as a whole: nothing was kept either.
  }
}

/** Takes away what is kept of one chat's rows: it was deleted. Never rejects. */
export async function forgetChat(conversationId: string, caches: CacheStorage | null): Promise<void> {
  try {
    const { rows } = cacheNames(basePath)
    if (!caches || !(await caches.has(rows))) return
    const address = new URL(
      withBase(`/api/conversations/${encodeURIComponent(conversationId)}`),
      window.location.origin,
    )
    await (await caches.open(rows)).delete(address.href, { ignoreSearch: true })
  } catch {
    // Refused as a whole: nothing was kept either.
  }
}
