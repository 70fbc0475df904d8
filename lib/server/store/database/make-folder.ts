import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder and what is missing above it, for this user alone. Throws what the file system says. One level after the
 * other: where a folder cannot be made (procfs, some FUSE), Node's own recursive mkdir tries for ever.
 */
export function makeDataFolder(dir: string): void {
  const missing: string[] = []
  for (let at = dir; !existsSync(at) && dirname(at) !== at; at = dirname(at)) missing.unshift(at)
  for (const one of missing) {
    try {
      mkdirSync(one, { mode: 0o700 })
    } catch (error) {
      // Another starter was faster.
      if (!existsSync(one)) throw error
    }
  }
  if (!statSync(dir).isDirectory()) throw Object.assign(new Error(`${dir} is no folder`), { code: 'ENOTDIR' })
}
