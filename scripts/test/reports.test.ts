import { expect, test } from 'vitest'
import { failedLines, readE2eReport, readUnitReport, slowestLines } from './reports.mjs'

const unitReport = {
  numPassedTests: 2,
  numFailedTests: 0,
  testResults: [
    {
      name: '/nod/lib/a.test.ts',
      assertionResults: [
        { title: 'is quick', duration: 4, status: 'passed' },
        {
          title: 'is slow',
          duration: 2_340,
          status: 'failed',
          failureMessages: ['Error: \u001b[31mnot\u001b[39m\n  there\n    at file.ts:1:2'],
        },
      ],
    },
  ],
}
const e2eReport = {
  stats: { expected: 1, unexpected: 0, flaky: 0 },
  suites: [
    {
      specs: [],
      suites: [
        {
          specs: [
            {
              file: 'x.spec.ts',
              title: 'goes there',
              tests: [{ status: 'flaky', results: [{ duration: 900 }, { duration: 100 }] }],
            },
          ],
        },
      ],
    },
  ],
}

test('lists the slowest tests of both halves first, with their files', () => {
  const unit = readUnitReport(unitReport, 0, '/nod')
  const e2e = readE2eReport(e2eReport, 0)
  expect([unit.passed, unit.failed, e2e.passed, e2e.failed]).toEqual([2, 0, 1, 0])
  expect(slowestLines([...unit.took, ...e2e.took], 2)).toEqual([
    '   2.3 s  lib/a.test.ts: is slow',
    '   1.0 s  e2e/x.spec.ts: goes there',
  ])
})

test('names each test that failed or needed a second try', () => {
  const took = [...readUnitReport(unitReport, 1, '/nod').took, ...readE2eReport(e2eReport, 1).took]
  expect(failedLines(took)).toEqual(['  lib/a.test.ts: is slow – Error: not there', '  e2e/x.spec.ts: goes there'])
})

test('keeps a title with long values to one line', () => {
  const [line = ''] = slowestLines([
    { half: 'unit', file: 'a.test.ts', title: `writes ${'line\n'.repeat(50)}`, ms: 1, failed: false },
  ])
  expect(line).toMatch(/^ {3}0\.0 s {2}a\.test\.ts: writes line line .*…$/)
  expect(line.length).toBeLessThan(130)
})

test('a runner that failed without a failed test, left no report, or retried a test did not pass', () => {
  expect(readUnitReport(unitReport, 1, '/nod').failed).toBe(1)
  expect(readUnitReport(null, 0, '/nod')).toEqual({ passed: 0, failed: 1, took: [] })
  expect(readE2eReport(null, 0)).toEqual({ passed: 0, failed: 1, took: [] })
  expect(readE2eReport({ ...e2eReport, stats: { expected: 0, unexpected: 0, flaky: 1 } }, 0).failed).toBe(1)
})
