import { readdir } from 'node:fs/promises'
import { inRoot } from '../setup/paths.mjs'

const sources = ['app', 'bench', 'components', 'lib', 'scripts']

async function under(folder) {
  const names = await readdir(inRoot(folder), { recursive: true })
  return names.map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
}

/**
 * The paths of all test files from the project's root: those that vitest.config.ts and playwright.config.ts include.
 */
export async function testFiles() {
  const [top, journeys, ...inSources] = await Promise.all([readdir(inRoot('.')), under('e2e'), ...sources.map(under)])
  return {
    unit: [...top, ...inSources.flat()].filter((name) => /\.test\.tsx?$/.test(name)),
    e2e: journeys.filter((name) => name.endsWith('.spec.ts')),
  }
}
