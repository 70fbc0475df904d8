import type { CacheNames } from './offline-caches'

/* Files under names that never mean anything else: what is here is right, and no one is asked. */

const atOnce = 6

export interface BuiltFiles {
  /** All of a build, before it is offered. Rejects where one can't be had: the browser tries again at its next visit. */
  readonly keepAll: (addresses: readonly string[]) => Promise<void>
  /** From here, else from the network, and then it stays. */
  readonly answer: (request: Request, into: string) => Promise<Response>
  /** From the network while it answers: its headers may be others today. */
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

/** Anyone who asks for a script says nothing that would make it another. */
const anyhow = { ignoreVary: true } as const

export function createBuiltFiles({ caches, fetch, names, build, onGone }: BuiltFilesPorts): BuiltFiles {
  const own = names.build(build)

  /** Other builds' files too: a tab of before continues with its own scripts after a newer build took over. */
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
      // A package of Python that the operator removed says nothing of the build.
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

/** A full disk keeps nothing, and breaks nothing. */
async function keepCopy(caches: CacheStorage, into: string, request: Request, response: Response): Promise<void> {
  const copy = response.clone()
  try {
    await (await caches.open(into)).put(request, copy)
  } catch {
    await copy.body?.cancel().catch(() => undefined)
  }
}
