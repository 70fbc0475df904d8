import { readFile, stat, writeFile } from 'node:fs/promises'
import { fingerprint, readStamp } from './fingerprint.mjs'
import { inRoot } from './paths.mjs'
import { startProgress } from './progress.mjs'
import { orExit, runQuiet } from './run.mjs'

const stamp = 'node_modules/.nod-installed'
const LOOK_EVERY_MS = 1_000

/** Where the lockfile puts its packages. It also lists those for other machines, so a few never arrive. */
async function plannedFolders() {
  const lock = JSON.parse(await readFile(inRoot('package-lock.json'), 'utf8'))
  return Object.entries(lock.packages)
    .filter(([folder, { optional }]) => folder !== '' && !optional)
    .map(([folder]) => folder)
}

const isThere = (folder) =>
  stat(inRoot(folder, 'package.json')).then(
    () => true,
    () => false,
  )

/** Reports the number of installed packages while npm, which prints nothing itself, works. */
async function watchInstall(progress) {
  const folders = await plannedFolders()
  let open = folders
  return setInterval(async () => {
    const there = await Promise.all(open.map(isThere))
    open = open.filter((_, index) => !there[index])
    progress.say(`${folders.length - open.length} of ${folders.length} packages`)
  }, LOOK_EVERY_MS)
}

/** Installs the pinned packages if the lockfile has changed. */
export async function ensureInstalled() {
  const wanted = await fingerprint(['package.json', 'bench/package.json', 'package-lock.json'])
  if ((await readStamp(stamp)) === wanted) return
  const progress = startProgress('Installing packages (often a minute)')
  const watch = await watchInstall(progress)
  const code = await runQuiet('npm', ['ci', '--no-fund', '--no-audit', '--loglevel=error'])
  clearInterval(watch)
  if (code === 0) progress.done()
  else progress.stop()
  orExit(code, 'The packages could not be installed; npm says why above. Check the network and start again.')
  await writeFile(inRoot(stamp), wanted)
}
