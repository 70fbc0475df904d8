import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { copySources, recipeIn, takeStep, type Step } from './recipe'
import { translate } from './translate'

const root = path.resolve(import.meta.dirname, '../..')

interface TestsRun {
  readonly passed: number
  readonly failed: number
  /** Names of failed tests, and errors of files. */
  readonly red: readonly string[]
}

/** A copy of the sources to which the recipes are applied. */
export interface RecipeCopy {
  readonly folder: string
  /** Runs a program of `node_modules/.bin` there. */
  readonly run: (name: string, ...args: readonly string[]) => { code: number | null; out: string }
  /** Runs a script of the copy. */
  readonly node: (...args: readonly string[]) => { code: number | null; out: string }
  /**
   * Runs the tests of these files whose names contain one of `words`, separated by `|`; returns how many passed and
   * failed.
   */
  readonly test: (files: readonly string[], words: string) => TestsRun
  readonly followAll: () => void
  readonly remove: () => void
}

const stepsOf = (page: string): readonly Step[] =>
  recipeIn(readFileSync(path.join(root, 'docs/internals', `${page}.md`), 'utf8'))

export const stepsOfTutorial = stepsOf('tutorial-first-change')
export const stepsOfStrategy = stepsOf('add-a-strategy')
export const stepsOfProvider = stepsOf('add-a-provider')
export const stepsOfLanguage = stepsOf('languages')
export const ADDED_STRATEGY = 'Double_Bracket'
export const ADDED_LANGUAGE = 'de'

export function makeRecipeCopy(): RecipeCopy {
  const folder = mkdtempSync(path.join(tmpdir(), 'nod-add-to-it-'))
  const start = (program: string, args: readonly string[]) => {
    // Without `CI`, a new golden prompt is written, as on a developer's machine; the current Node runs the tests.
    const { CI: _ci, VITEST: _vitest, ...rest } = process.env
    const env = {
      ...rest,
      NO_COLOR: '1',
      PATH: `${path.dirname(process.execPath)}${path.delimiter}${rest['PATH'] ?? ''}`,
    }
    const done = spawnSync(program, args, { cwd: folder, encoding: 'utf8', env, timeout: 240_000 })
    return { code: done.status, out: `${done.stdout}${done.stderr}` }
  }
  const run: RecipeCopy['run'] = (name, ...args) => start(path.join(root, 'node_modules/.bin', name), args)
  const node: RecipeCopy['node'] = (...args) => start(process.execPath, args)
  return {
    folder,
    run,
    node,
    test: (files, words) => {
      const report = path.join(folder, 'report.json')
      const options = [
        '--project',
        'unit',
        '--project',
        'shared',
        '-t',
        words,
        '--reporter=json',
        `--outputFile.json=${report}`,
      ]
      run('vitest', 'run', ...options, ...files)
      const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
        numPassedTests: number
        numFailedTests: number
        testResults: { name: string; message: string; assertionResults: { status: string; fullName: string }[] }[]
      }
      const red = testResults.flatMap(({ name, message, assertionResults }) => [
        ...(message === '' ? [] : [`${name}: ${message}`]),
        ...assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
      ])
      return { passed: numPassedTests, failed: numFailedTests, red }
    },
    followAll: () => {
      copySources(root, folder)
      const steps = [...stepsOfTutorial, ...stepsOfStrategy, ...stepsOfProvider, ...stepsOfLanguage]
      for (const step of steps) takeStep(folder, step)
      translate(folder, ADDED_LANGUAGE, {
        'card.copy': 'Kopieren',
        'tool.count-words': 'Zähle die Wörter von {count, number} Zeichen',
      })
      // A command's setup does this too, because the recipes add messages.
      const built = node('scripts/build-messages.mjs')
      if (built.code !== 0) throw new Error(built.out)
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
