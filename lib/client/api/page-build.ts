/*
 * Whether the server is newer than this page. Every answer of the API names the build that gave it; a page whose build is
 * another lacks the parts that it has not loaded yet, for they have new names. An empty name says nothing.
 */

export interface PageBuild {
  /** What an answer said; null where it said nothing, as a proxy's own answer. */
  readonly heard: (build: string | null) => void
  readonly isOld: () => boolean
  readonly subscribe: (listener: () => void) => () => void
  /** Into the newest build. */
  readonly reload: () => void
  /** There is more to do before that. */
  readonly reloadBy: (reload: () => void) => void
}

/** `own`: the build whose page this is. */
export function createPageBuild(own: string): PageBuild {
  let old = false
  let reload = () => window.location.reload()
  const listeners = new Set<() => void>()
  return {
    heard(build) {
      // While nodes are updated one after the other, an older one may answer too: then its build is the page's own.
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
