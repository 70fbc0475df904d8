import type { CacheNames } from './offline-caches'

/* Caches files whose names identify their content: a cached file is always right, so the server is not asked. */

const atOnce = 6

export interface BuiltFiles {
  /**
   * Caches all files of a build before it is offered. Rejects if one can't be fetched: the browser tries again at its
   * next visit.
   */
  readonly keepAll: (addresses: readonly string[]) => Promise<void>
  /** Answers from the cache, else from the network, and then caches the file. */
  readonly answer: (request: Request, into: string) => Promise<Response>
  /** Answers from the network while it responds, because the file's headers may have changed. */
  readonly answerFreshly: (request: Request, into: string) => Promise<Response>
}

export interface BuiltFilesPorts {
  readonly caches: CacheStorage
  readonly fetch: (request: Request | string) => Promise<Response>
  readonly names: CacheNames
  readonly build: string
  /** A script of this build is gone from the server: pages that name it must not be shown again. */
  readonly onGone: () => Promise<void>
}

/** The request headers of a script don't change its content. */
const anyhow = { ignoreVary: true } as const

export function createBuiltFiles({ caches, fetch, names, build, onGone }: BuiltFilesPorts): BuiltFiles {
  const own = names.build(build)

  /** Also finds other builds' files: an old tab continues with its own scripts after a newer build took over. */
  async function find(request: Request | string): Promise<Response | undefined> {
    for (const name of await caches.keys()) {
      if (!name.startsWith(names.builds) && name !== names.large) continue
      const found = await (await caches.open(name)).match(request, anyhow)
      if (found) return found
    }
    return undefined
  }

  async function fetchWhole(request: Request | string): Promise<Response> {
    const response = await fetch(request)
    if (response.status !== 200)
      throw new Error(`${typeof request === 'string' ? request : request.url}: ${response.status}`)
    return response
  }

  return {
    async keepAll(addresses) {
      const cache = await caches.open(own)
      const waiting = addresses.values()
      const work = async () => {
        for (const address of waiting) {
          if (await cache.match(address, anyhow)) continue
          await cache.put(address, (await find(address)) ?? (await fetchWhole(address)))
        }
      }
      await Promise.all(Array.from({ length: atOnce }, work))
    },
    async answer(request, into) {
      const found = await find(request)
      if (found) return found
      const response = await fetch(request)
      // A missing Python package, which the operator removed, says nothing about the build.
      if (response.status === 404 && !request.url.includes('/api/')) await onGone()
      if (response.status === 200) await keepCopy(caches, into, request, response)
      return response
    },
    async answerFreshly(request, into) {
      try {
        const response = await fetch(request)
        if (response.status === 200) await keepCopy(caches, into, request, response)
        return response
      } catch (error) {
        const found = await (await caches.open(into)).match(request, anyhow)
        if (found) return found
        throw error
      }
    },
  }
}

/** A full disk keeps no copy, and causes no error. */
async function keepCopy(caches: CacheStorage, into: string, request: Request, response: Response): Promise<void> {
  const copy = response.clone()
  try {
    await (await caches.open(into)).put(request, copy)
  } catch {
    await copy.body?.cancel().catch(() => undefined)
  }
}
