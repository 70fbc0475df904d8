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

/** A hash over names and contents, so that a step can tell whether its inputs changed since it last ran. */
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

/** The stamp that a step left behind, or '' when it never ran. */
export const readStamp = (file) => readFile(inRoot(file), 'utf8').catch(() => '')
