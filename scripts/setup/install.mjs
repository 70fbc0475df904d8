import { writeFile } from 'node:fs/promises'
import { fingerprint, readStamp } from './fingerprint.mjs'
import { inRoot } from './paths.mjs'
import { orExit, runQuiet } from './run.mjs'

const stamp = 'node_modules/.nod-installed'

/** Installs the pinned packages when the lockfile changed since the last time. */
export async function ensureInstalled() {
  const wanted = await fingerprint(['package.json', 'package-lock.json'])
  if ((await readStamp(stamp)) === wanted) return
  console.error('Installing packages (about half a minute) …')
  const code = await runQuiet('npm', ['ci', '--no-fund', '--no-audit', '--loglevel=error'])
  orExit(code, 'The packages could not be installed; npm says why above. Check the network and start again.')
  await writeFile(inRoot(stamp), wanted)
}
