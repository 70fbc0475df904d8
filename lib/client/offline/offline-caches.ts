import { basePath, withBase } from '@/lib/base/base-path'

/*
 * The caches of one Nod in a browser. Caches are per origin, so each name contains the base path: two Nods on one host
 * share none. The page deletes private data itself, whether a service worker is active or not.
 */

export interface CacheNames {
  /** The prefix of all names. */
  readonly own: string
  /** The files of one build: never changed, deleted with the build. */
  readonly build: (build: string) => string
  /** The prefix of all builds' names. */
  readonly builds: string
  /** Large files whose names contain their own versions; they outlive builds. */
  readonly large: string
  /** Pages in their last version for the last user. */
  readonly pages: (build: string) => string
  /** The server's rows that were viewed last. */
  readonly rows: string
}

export function cacheNames(base: string): CacheNames {
  const own = `nod:${base}:`
  return {
    own,
    build: (build) => `${own}build:${build}`,
    builds: `${own}build:`,
    large: `${own}large`,
    pages: (build) => `${own}pages:${build}`,
    rows: `${own}rows`,
  }
}

/** Whether it holds personal data: pages with the user's name and appearance, and their rows. */
export const isPrivateCache = (name: string, names: CacheNames): boolean =>
  name === names.rows || name.startsWith(`${names.own}pages:`)

/**
 * Deletes the personal data that this browser keeps for reading without the server. Never rejects: a browser without
 * caches has none to delete.
 * @param caches null if the page has none (plain http)
 */
export async function forgetPrivate(caches: CacheStorage | null): Promise<void> {
  try {
    if (!caches) return
    const names = await caches.keys()
    const own = cacheNames(basePath)
    await Promise.all(names.filter((name) => isPrivateCache(name, own)).map((name) => caches.delete(name)))
  } catch {
    // Refused as a whole: nothing was cached either.
  }
}

/** Deletes the cached rows of one deleted chat. Never rejects. */
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
    // Refused as a whole: nothing was cached either.
  }
}
