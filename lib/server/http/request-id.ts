const WELL_FORMED = /^[\w.:-]{8,128}$/

/** The name of a request: the one that a proxy gave it, where proxies are trusted and it is well formed, else a new one. */
export function requestId(
  given: string | readonly string[] | undefined,
  { trusted, newId }: { readonly trusted: boolean; readonly newId: () => string },
): string {
  return trusted && typeof given === 'string' && WELL_FORMED.test(given) ? given : newId()
}

export const requestIdHeader = 'x-request-id'
