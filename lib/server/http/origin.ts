/** True when the visitor's browser speaks HTTPS with us or with the proxy in front. */
export function isSecure(request: Request): boolean {
  const forwarded = request.headers.get('x-forwarded-proto')?.split(',')[0]?.trim()
  return (forwarded ?? new URL(request.url).protocol.replace(':', '')) === 'https'
}

/**
 * Whether a changing request comes from our own pages. Browsers say so in `Sec-Fetch-Site`, older ones in `Origin`;
 * programs that are no browser send neither and hold no cookie of a victim.
 */
export function isSameOrigin(request: Request): boolean {
  const site = request.headers.get('sec-fetch-site')
  if (site !== null) return site === 'same-origin'
  const origin = request.headers.get('origin')
  if (origin === null) return true
  const host = request.headers.get('x-forwarded-host')?.split(',')[0]?.trim() ?? request.headers.get('host')
  return URL.canParse(origin) && new URL(origin).host === (host ?? new URL(request.url).host)
}
