import { basePath, withBase } from '@/lib/base/base-path'

/*
 * The caches of one Nod in a browser. They are per origin, so each name bears the base path: two that share a host share none.
 * The page clears what is private by itself, whether a service worker listens or not.
 */

export interface CacheNames {
  /** What all names begin with. */
  readonly own: string
  /** The files of one build: never changed, given up with the build. */
  readonly build: (build: string) => string
  /** What all of those begin with. */
  readonly builds: string
  /** Large files whose names bear their own versions; they outlive builds. */
  readonly large: string
  /** Pages as they came for anyone who was here last. */
  readonly pages: (build: string) => string
  /** What of the server's rows was looked at last. */
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

/** Whether it holds anything of a person: pages in their look and under their name, and their rows. */
export const isPrivateCache = (name: string, names: CacheNames): boolean =>
  name === names.rows || name.startsWith(`${names.own}pages:`)

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
