// Parallel runs: each case is several runs that are started at once, and the conditions that their reports must meet,
// in order.
// Times are measured inside the runs; the only condition is whether they overlap.
import assert from 'node:assert/strict'
import type { RunReport, RunRequest } from './page'
import { returned } from './sandbox-case'

interface SideCase {
  readonly name: string
  readonly nightly?: true
  readonly runs: readonly RunRequest[]
  readonly expect: (reports: readonly RunReport[]) => void
}

/** When a sleeper began and ended, by its own clock. */
interface Nap {
  readonly from: number
  readonly to: number
}

const kinds = (reports: readonly RunReport[]) => reports.map(({ outcome }) => outcome.kind)
const reportAt = (reports: readonly RunReport[], at: number): RunReport => {
  const report = reports[at]
  if (!report) throw new assert.AssertionError({ message: `run ${at} gave no report` })
  return report
}
const turns = ({ events }: RunReport) => events.flatMap((event) => (event.type === 'turn' ? [event.waits] : []))

const sleeper =
  'const from = Date.now(); await new Promise((r) => setTimeout(r, 2500)); return { from, to: Date.now() }'
const ticker = 'let ticks = 0; while (ticks < 20) { await new Promise((r) => setTimeout(r, 20)); ticks++ } return ticks'
const pythonSleeper = 'import time\nstart = time.time()\ntime.sleep(0.5)\n[start, time.time()]'
const endless = 'for (;;) {}'
const flood = 'for (;;) self.postMessage({ type: "junk" })'

export const sideCases: readonly SideCase[] = [
  {
    name: 'runs overlap, and one past the limit waits for its turn, which is no part of its time',
    runs: Array.from({ length: 5 }, () => ({ code: sleeper })),
    expect: (reports) => {
      const times = reports.map((report) => returned(report) as Nap)
      const first = times.slice(0, 4)
      const fifth = reportAt(reports, 4)
      assert.ok(
        Math.max(...first.map(({ from }) => from)) < Math.min(...first.map(({ to }) => to)),
        JSON.stringify(times),
      )
      assert.ok((returned(fifth) as Nap).from >= Math.min(...first.map(({ to }) => to)), JSON.stringify(times))
      assert.deepEqual(reports.map(turns), [[], [], [], [], [true, false]])
      const { durationMs } = fifth.outcome
      assert.ok(durationMs < fifth.wallMs - 1_000, `${durationMs} of ${fifth.wallMs}`)
    },
  },
  {
    name: 'endless loops and a flood hold up no timer of another run',
    runs: [
      { code: endless, timeoutMs: 2_500 },
      { code: endless, timeoutMs: 2_500 },
      { code: ticker, timeoutMs: 20_000 },
      { code: flood, timeoutMs: 2_500 },
    ],
    expect: (reports) => {
      assert.equal(returned(reportAt(reports, 2)), 20)
      assert.deepEqual(kinds(reports).slice(0, 2), ['timed-out', 'timed-out'])
      assert.match(reportAt(reports, 3).outcome.kind, /^(flooded|timed-out)$/)
    },
  },
  {
    name: 'a stop ends one run and no other',
    runs: [{ code: sleeper }, { code: endless, stopAfterMs: 300 }, { code: sleeper }],
    expect: (reports) => assert.deepEqual(kinds(reports), ['returned', 'stopped', 'returned']),
  },
  {
    name: 'Python runs beside Python and JavaScript, a third interpreter waits',
    nightly: true,
    runs: [
      ...Array.from({ length: 3 }, () => ({
        code: pythonSleeper,
        language: 'python' as const,
        timeoutMs: 20_000,
      })),
      { code: ticker },
    ],
    expect: (reports) => {
      assert.equal(returned(reportAt(reports, 3)), 20)
      // Starting an interpreter takes time: if neither of the two waited for a turn, both were active.
      const naps = reports.slice(0, 3).map((report) => returned(report) as readonly [from: number, to: number])
      const [from = Number.NaN] = naps[2] ?? []
      assert.ok(from >= Math.min(...naps.slice(0, 2).map(([, to]) => to)), JSON.stringify(naps))
      assert.deepEqual(reports.map(turns), [[], [], [true, false], []])
    },
  },
]
