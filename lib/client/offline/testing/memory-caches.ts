/**
 * An in-memory Cache API, as far as the service worker uses it. Keys are in the order of the last `put`, as in
 * browsers.
 */
export function memoryCaches(): CacheStorage {
  const all = new Map<string, Cache>()
  const origin = 'https://nod.test'
  const urlOf = (asked: RequestInfo | URL) => new URL(asked instanceof Request ? asked.url : asked, origin).href

  function memoryCache(): Cache {
    const rows = new Map<string, Response>()
    const found = (asked: RequestInfo | URL, options?: CacheQueryOptions) => {
      const url = urlOf(asked)
      const path = (href: string) => href.split('?', 1)[0]
      return [...rows.keys()].filter((key) => key === url || (options?.ignoreSearch && path(key) === path(url)))
    }
    const cache: Pick<Cache, 'match' | 'put' | 'delete' | 'keys'> = {
      match: (asked, options) => Promise.resolve(rows.get(found(asked, options)[0] ?? '')?.clone()),
      put(asked, response) {
        const url = urlOf(asked)
        rows.delete(url)
        rows.set(url, response)
        return Promise.resolve()
      },
      delete(asked, options) {
        const gone = found(asked, options)
        for (const url of gone) rows.delete(url)
        return Promise.resolve(gone.length > 0)
      },
      keys: () => Promise.resolve([...rows.keys()].map((url) => new Request(url))),
    }
    return cache as Cache
  }

  const caches: Pick<CacheStorage, 'open' | 'keys' | 'delete' | 'has'> = {
    open(name) {
      const cache = all.get(name) ?? memoryCache()
      all.set(name, cache)
      return Promise.resolve(cache)
    },
    keys: () => Promise.resolve([...all.keys()]),
    delete: (name) => Promise.resolve(all.delete(name)),
    has: (name) => Promise.resolve(all.has(name)),
  }
  return caches as CacheStorage
}
