import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { inRoot } from './paths.mjs'

async function* filesUnder(name) {
  const full = inRoot(name)
  const info = await stat(full).catch(() => null)
  if (!info) return
  if (info.isFile()) {
    yield name
    return
  }
  for (const entry of (await readdir(full)).toSorted()) yield* filesUnder(path.posix.join(name, entry))
}

/** A hash of names and contents, so that a step can tell whether its inputs changed since its last run. */
export async function fingerprint(names, skip = () => false) {
  const hash = createHash('sha256')
  for (const name of names) {
    for await (const file of filesUnder(name)) {
      if (skip(file)) continue
      hash.update(`${file}\0`)
      hash.update(await readFile(inRoot(file)))
      hash.update('\0')
    }
  }
  return hash.digest('hex')
}

/** The stamp of a step's last run, or '' if it never ran. */
export const readStamp = (file) => readFile(inRoot(file), 'utf8').catch(() => '')
