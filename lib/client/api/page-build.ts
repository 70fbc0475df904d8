/*
 * Whether the server is newer than this page. Every API response names the build that gave it. A page of another build
 * can't load its remaining parts, because they have new names. An empty name says nothing.
 */

export interface PageBuild {
  /** Call it with the build that a response named; null if it named none, as with a proxy's own response. */
  readonly heard: (build: string | null) => void
  readonly isOld: () => boolean
  readonly subscribe: (listener: () => void) => () => void
  /** Reloads the page with the newest build. */
  readonly reload: () => void
  /** Replaces the function that reloads the page. */
  readonly reloadBy: (reload: () => void) => void
}

/** `own`: the build of this page. */
export function createPageBuild(own: string): PageBuild {
  let old = false
  let reload = () => window.location.reload()
  const listeners = new Set<() => void>()
  return {
    heard(build) {
      // While nodes are updated one after the other, an older node may answer too, with the page's own build.
      const now = own !== '' && build !== null && build !== '' && build !== own
      if (!now || old) return
      old = true
      for (const listener of listeners) listener()
    },
    isOld: () => old,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    reload: () => reload(),
    reloadBy(other) {
      reload = other
    },
  }
}
