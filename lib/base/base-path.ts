/**
 * The path that serves all of Nod on its host: '' or `/nod`. Set at build time (`next.config.ts`), like Next's own
 * `basePath`: a build works only under the path it was built for. Bundlers inline the value, so nothing is read at run
 * time.
 */
export const basePath: string = process.env.NOD_BASE_PATH ?? ''

/**
 * The URL of one of our paths, for code that does not use `<Link>`: requests, workers, frames, `Location`. Next's
 * links, router and `pathname` add the base path themselves.
 */
export const withBase = (path: string): string => withBasePath(path, basePath)

export const withBasePath = (path: string, base: string): string =>
  base !== '' && path === '/' ? base : `${base}${path}`

/** The content hash of the files that Next does not build, set at build time; '' in development. */
const filesHash: string = process.env.NOD_FILES ?? ''

/**
 * The URL of a worker, a frame or a sandbox library, with the content hash. Clients can cache it for good, and request
 * it again when a build changes it.
 */
export const builtFile = (path: string): string => builtFileOf(path, filesHash)

export const builtFileOf = (path: string, hash: string): string =>
  hash === '' ? withBase(path) : `${withBase(path)}?v=${hash}`

/** A path as a browser shows it, without the base path. */
export const withoutBase = (pathname: string): string => withoutBasePath(pathname, basePath)

export function withoutBasePath(pathname: string, base: string): string {
  if (pathname === base) return '/'
  return base !== '' && pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : pathname
}

/** The path of our cookies. Another Nod on the same host, under another path, has its own cookies. */
export const cookiePath: string = basePath === '' ? '/' : basePath

/**
 * The prefix of secure cookie names: `__Host-` where allowed (browsers accept it only with `Path=/`), so that no other
 * host of the domain can plant such a cookie.
 */
export const secureCookiePrefix: '__Host-' | '__Secure-' = basePath === '' ? '__Host-' : '__Secure-'
