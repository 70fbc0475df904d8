import { parentOf } from '@/lib/vfs/path'

/** Paths without the folders that only are there because something in them does. */
export function lowestPaths(paths: readonly string[]): readonly string[] {
  const parents = new Set<string>()
  for (const path of paths) {
    for (let at = parentOf(path); at !== '/' && !parents.has(at); at = parentOf(at)) parents.add(at)
  }
  return paths.filter((path) => !parents.has(path))
}
