import { parentOf } from '@/lib/vfs/path'

/** The paths without those folders that are listed only because something in them is. */
export function lowestPaths(paths: readonly string[]): readonly string[] {
  const parents = new Set<string>()
  for (const path of paths) {
    for (let at = parentOf(path); at !== '/' && !parents.has(at); at = parentOf(at)) parents.add(at)
  }
  return paths.filter((path) => !parents.has(path))
}
