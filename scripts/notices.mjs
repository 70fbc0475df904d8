// The notices of all packages that browsers are served, for the page /licences: written into a finished build by `npm
// run build`, from the packages found in it.
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { noticeOf, wheelNotices } from './notices/notice-of.mjs'
import { servedPackages } from './notices/served-packages.mjs'
import { inRoot } from './setup/paths.mjs'

/**
 * @param {string} [dist] the folder of Next's build
 * @returns {Promise<import('./notices/notice-of.mjs').Notice[]>}
 */
export async function noticesOf(dist) {
  const served = [...(await servedPackages(dist))]
  const notices = await Promise.all([...served.map(([folder, where]) => noticeOf(folder, where)), ...wheelNotices()])
  return notices.filter((notice) => notice !== null).toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const dist = inRoot('.next')
  const { version } = JSON.parse(await readFile(inRoot('package.json'), 'utf8'))
  const licence = await readFile(inRoot('LICENSE'), 'utf8')
  const notices = { version, licence, packages: await noticesOf(dist) }
  await writeFile(path.join(dist, 'notices.json'), JSON.stringify(notices))
}
