/**
 * The path under which all of Nod is on its host: '' or `/nod`. Put in by the build (`next.config.ts`), as Next's own
 * `basePath` is: a build stands where it was built for. Bundlers write the value in its place, so nothing is read when this runs.
 */
export const basePath: string = process.env.NOD_BASE_PATH ?? ''

/**
 * The address of a path of ours, for anyone who is no `<Link>`: requests, workers, frames, `Location`. Next's links, its router and
 * its `pathname` know the base path by themselves.
 */
export const withBase = (path: string): string => withBasePath(path, basePath)

export const withBasePath = (path: string, base: string): string =>
  base !== '' && path === '/' ? base : `${base}${path}`

/** What the files beside Next's own hash to, put in by the build; '' in development. */
const filesHash: string = process.env.NOD_FILES ?? ''

/**
 * The address of a worker, a frame or a library of the sandbox, with what those files hash to: anyone who holds one need not ask for
 * it again, and a build that changed one is asked for it.
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

/** Where cookies of ours are sent. Another Nod on the same host, under another path, has cookies of its own. */
export const cookiePath: string = basePath === '' ? '/' : basePath

/**
 * What a secure cookie's name begins with: `__Host-` where it may (browsers take it for `Path=/` alone), so that no other host of
 * the domain can plant one.
 */
export const secureCookiePrefix: '__Host-' | '__Secure-' = basePath === '' ? '__Host-' : '__Secure-'
