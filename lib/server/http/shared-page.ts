import type { Header } from './static-headers'

/** A chat that somebody shared. What is below it is no other page. */
export const isSharedPath = (path: string): boolean => /^\/s(?:\/|$)/.test(path)

/**
 * For its page: no search engine keeps it, no cache on the way does (a link that was ended must show nothing), and no other site
 * learns its address.
 */
export const sharedHeaders: readonly Header[] = [
  { key: 'X-Robots-Tag', value: 'noindex, nofollow, noarchive, nosnippet' },
  { key: 'Cache-Control', value: 'private, no-store' },
  { key: 'Referrer-Policy', value: 'no-referrer' },
]
