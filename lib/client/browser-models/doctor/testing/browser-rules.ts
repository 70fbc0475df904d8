/**
 * Applies a browser's rules to a page's requests, over any `fetch`: sends preflights, and hides a response that the
 * server does not let the page read (fetch.spec.whatwg.org, as far as needed here).
 */
export function fetchOfPage(
  origin: string,
  network: typeof globalThis.fetch = globalThis.fetch,
): typeof globalThis.fetch {
  const refused = () => new TypeError('Failed to fetch')
  const plain = new Set(['accept', 'accept-language', 'content-language'])
  const plainTypes = /^(?:text\/plain|application\/x-www-form-urlencoded|multipart\/form-data)/

  const letsIn = (answer: Response) => {
    const allowed = answer.headers.get('access-control-allow-origin')
    return allowed === '*' || allowed === origin
  }
  const listOf = (answer: Response, name: string) =>
    (answer.headers.get(name) ?? '').split(',').map((part) => part.trim().toLowerCase())

  return async (input, init) => {
    const url = input instanceof Request ? input.url : input.toString()
    const headers = new Headers(init?.headers)
    headers.set('origin', origin)
    const signal = init?.signal ?? null
    if (init?.mode === 'no-cors') {
      await (await network(url, { headers: { origin }, signal })).body?.cancel()
      return { status: 0, headers: new Headers(), body: null } as Response
    }
    const asked = [...headers.keys()].filter((name) => {
      if (name === 'origin' || plain.has(name)) return false
      return name !== 'content-type' || !plainTypes.test(headers.get(name) ?? '')
    })
    if (asked.length > 0) {
      const preflight = await network(url, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': init?.method ?? 'GET',
          'access-control-request-headers': asked.join(','),
        },
        signal,
      })
      const allowed = listOf(preflight, 'access-control-allow-headers')
      // A star matches all of them but this one.
      const lets = (name: string) => allowed.includes(name) || (allowed.includes('*') && name !== 'authorization')
      if (!preflight.ok || !letsIn(preflight) || !asked.every(lets)) throw refused()
    }
    const answer = await network(url, { ...init, headers, signal, mode: 'cors' })
    if (letsIn(answer)) return answer
    await answer.body?.cancel()
    throw refused()
  }
}
