// Reads the runners' JSON reports: how many tests passed and failed, and how long each took.

import { stripVTControlCharacters } from 'node:util'

/** @typedef {{ half: string, file: string, title: string, ms: number, failed: boolean, why?: string }} Took */

/** Vitest's. A file that could not be loaded has no failed test of its own; `code` is the runner's. */
export function readUnitReport(report, code, root) {
  if (!report) return { passed: 0, failed: 1, took: [] }
  return {
    passed: report.numPassedTests,
    failed: Math.max(report.numFailedTests, code === 0 ? 0 : 1),
    took: report.testResults.flatMap(({ name, assertionResults }) =>
      assertionResults.map(({ title, duration, status, failureMessages = [] }) => ({
        half: 'unit',
        file: name.startsWith(root) ? name.slice(root.length + 1) : name,
        title,
        ms: duration ?? 0,
        failed: status === 'failed',
        why: failureMessages[0] ?? '',
      })),
    ),
  }
}

/** Playwright's. A test that passed only on the second try is flaky, which is a bug. */
export function readE2eReport(report, code) {
  if (!report) return { passed: 0, failed: 1, took: [] }
  const { expected, unexpected, flaky } = report.stats
  const inSuite = ({ specs = [], suites = [] }) => [
    ...specs.flatMap(({ file, title, tests }) =>
      tests.map(({ results, status }) => ({
        half: 'e2e',
        file: `e2e/${file}`,
        title,
        ms: results.reduce((sum, { duration }) => sum + duration, 0),
        failed: status === 'unexpected' || status === 'flaky',
        why: results.find(({ error }) => error?.message)?.error.message ?? '',
      })),
    ),
    ...suites.flatMap(inSuite),
  ]
  return {
    passed: expected,
    failed: Math.max(unexpected + flaky, code === 0 ? 0 : 1),
    took: report.suites.flatMap(inSuite),
  }
}

/** A line for each of the slowest tests, the slowest first. @param {readonly Took[]} took */
export function slowestLines(took, count = 20) {
  const slowest = took.toSorted((a, b) => b.ms - a.ms).slice(0, count)
  return slowest.map(({ file, title, ms }) => `${(ms / 1000).toFixed(1).padStart(6)} s  ${file}: ${shortened(title)}`)
}

/**
 * A line for each test that failed, with its error: who reads the end of a long log, or only that, has the cause.
 * @param {readonly Took[]} took
 */
export const failedLines = (took) =>
  took
    .filter(({ failed }) => failed)
    .map(({ file, title, why = '' }) => {
      const [said = ''] = stripVTControlCharacters(why).split('\n    at ')
      const error = shortened(said, 300)
      return `  ${file}: ${shortened(title)}${error === '' ? '' : ` – ${error}`}`
    })

/** A title with its values may be pages long. */
function shortened(title, most = 100) {
  const line = title.replace(/\s+/g, ' ').trim()
  return line.length > most ? `${line.slice(0, most)}…` : line
}
