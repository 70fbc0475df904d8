import type { FleetOptions } from './fleet.ts'
import { quantile, type Simulation } from './simulate.ts'

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`
const time = (ms: number): string => (ms < 1_000 ? `${ms.toFixed(1)} ms` : `${(ms / 1_000).toFixed(1)} s`)

/** The results, one line each: name and value. */
export function reportOf(found: Simulation, { nodes, places }: FleetOptions): readonly (readonly [string, string])[] {
  const sorted = found.waits.toSorted()
  const { finished, interrupted, refused, 'gave-up': gaveUp } = found.outcomes
  const busiest = found.hours.reduce((most, hour) => (hour.places > most.places ? hour : most), {
    arrived: 0,
    places: 0,
    cores: 0,
  })
  const of = (count: number) => `${count.toLocaleString('en')} (${percent(count / Math.max(1, found.arrived))})`
  return [
    ['runs', found.arrived.toLocaleString('en')],
    ['finished', of(finished)],
    ['refused', of(refused)],
    ['gave up waiting', of(gaveUp)],
    ['interrupted', of(interrupted)],
    ['waited for a place', of(found.queued)],
    ['first text p50 / p95 / p99', [0.5, 0.95, 0.99].map((share) => time(quantile(sorted, share))).join(' / ')],
    ['longest wait', time(sorted.at(-1) ?? 0)],
    ['running at a time, mean / most', `${found.meanRunning.toFixed(0)} / ${found.peakRunning} of ${nodes * places}`],
    ['places in use in the busiest hour', percent(busiest.places)],
    ['cores in use in the busiest hour', percent(busiest.cores)],
    ['runs in the busiest hour', busiest.arrived.toLocaleString('en')],
  ]
}
