// How many of the snippets of `scripts/node-snippets`, programs as models write them, behave in the sandbox as in Node:
// here, and in other checkouts given by their paths, each in a real Chromium with its own code. `npm run bench -- node
// [-- <checkout> …] [--verbose]`
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { differencesInPage } from '../scripts/node-snippets/run-in-page.mjs'
import { snippets } from '../scripts/node-snippets/snippets.mjs'
import { withCleanups } from '../scripts/setup/cleanups.mjs'

const here = path.resolve(import.meta.dirname, '..')
const isVerbose = process.argv.includes('--verbose')
const given = process.argv.slice(2).filter((each) => !each.startsWith('--'))

/** The suite's folder in a checkout: an older one has it in its scripts. */
const suiteOf = (checkout) =>
  ['lib/sandbox/testing/browser-suite/run.ts', 'scripts/browser-suite/run.mjs']
    .map((file) => path.join(checkout, file))
    .find((file) => existsSync(file)) ?? path.join(checkout, 'lib/sandbox/testing/browser-suite/run.ts')

async function count(checkout) {
  await withCleanups(async (cleanups) => {
    const { openSuite } = await import(pathToFileURL(suiteOf(checkout)).href)
    const suite = await openSuite()
    cleanups.add(() => suite.close())
    const page = await suite.newPage()
    let same = 0
    for (const snippet of snippets) {
      const different = await differencesInPage(page, snippet)
      if (different.length === 0) same++
      else if (isVerbose) console.log(`${snippet.name}\n  ${different.join('\n  ')}`)
    }
    console.log(`${checkout}: ${same} of ${snippets.length} do as in Node ${process.versions.node}`)
  })
}

// One process each, because every checkout has its own Playwright, and two of them can't be loaded into one.
if (process.argv.includes('--one')) await count(given[0] ?? here)
else
  for (const checkout of [here, ...given.map((each) => path.resolve(each))]) {
    const more = isVerbose ? ['--verbose'] : []
    const ended = spawnSync(process.execPath, ['--import', 'tsx', import.meta.filename, '--one', checkout, ...more], {
      stdio: 'inherit',
    })
    if (ended.status !== 0) process.exitCode = 1
  }
