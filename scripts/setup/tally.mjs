import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { inRoot } from './paths.mjs'

// Counts of a run, kept in files so that the last line of CI can add up several commands.
const folder = '.cache/tally'

export async function forgetTally(name) {
  await mkdir(inRoot(folder), { recursive: true })
  await rm(inRoot(folder, `${name}.json`), { force: true })
}

export async function writeTally(name, counts) {
  await mkdir(inRoot(folder), { recursive: true })
  await writeFile(inRoot(folder, `${name}.json`), JSON.stringify(counts))
}

/** A missing count is a failure, because a step that died silently did not pass. */
export async function readTally(name) {
  const text = await readFile(inRoot(folder, `${name}.json`), 'utf8').catch(() => null)
  return text ? JSON.parse(text) : { passed: 0, failed: 1 }
}

export const addTallies = (tallies) =>
  tallies.reduce((sum, t) => ({ passed: sum.passed + t.passed, failed: sum.failed + t.failed }), {
    passed: 0,
    failed: 0,
  })

export const tallyLine = ({ passed, failed }) => `${passed} passed, ${failed} failed`
