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
  /** Pages as they came for whoever was here last. */
  readonly pages: (build: string) => string
  /** What of the server's rows was looked at last. */
  readonly rows: string
}

export function cacheNames(basePath: string): CacheNames {
  const own = `nod:${basePath}:`
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
