import { createAgenda, type Agenda } from './agenda.ts'
import { createFleet, type Fleet, type FleetOptions, type Job, type Outcome } from './fleet.ts'

/** A source of requests: plans its arrivals, and learns how each one ended. */
export type Crowd = (
  agenda: Agenda,
  ask: (job: Omit<Job, 'arrivedAt'>, done: (outcome: Outcome) => void) => void,
) => void

/** A failure or a planned action, and its time. */
export type Fault =
  | { readonly kind: 'crash'; readonly atMs: number; readonly node: number; readonly downMs: number }
  /** One node after the other; the next once the previous one is back. */
  | { readonly kind: 'rolling'; readonly atMs: number; readonly graceMs: number; readonly downMs: number }

export interface Simulation {
  readonly arrived: number
  readonly outcomes: Readonly<Record<Outcome, number>>
  /** Milliseconds from each request to its first text, without the model's own time, in the order of their starts. */
  readonly waits: Float64Array
  /** How many of these waited for a place. */
  readonly queued: number
  /** The most replies at a time, over all nodes. */
  readonly peakRunning: number
  /** The mean of each hour with arrivals: the share of places, and of cores, in use. */
  readonly hours: readonly { readonly arrived: number; readonly places: number; readonly cores: number }[]
  /** The mean number of concurrent replies over the whole time. */
  readonly meanRunning: number
  readonly endedAtMs: number
  /** What is left in the fleet: nothing. */
  readonly left: number
}

const HOUR = 3_600_000

/** Runs until nobody asks and nothing is written any longer. */
export function simulate(
  options: FleetOptions,
  crowd: Crowd,
  { faults = [], hours = 24 }: { readonly faults?: readonly Fault[]; readonly hours?: number } = {},
  onStart: (job: Job, waitMs: number) => void = () => {},
): Simulation {
  const agenda = createAgenda()
  const waits: number[] = []
  const outcomes = { finished: 0, interrupted: 0, refused: 0, 'gave-up': 0 }
  let arrived = 0
  let queued = 0
  let peakRunning = 0
  const fleet: Fleet = createFleet(agenda, options, (job, waitMs) => {
    waits.push(waitMs)
    if (agenda.now() > job.arrivedAt) queued += 1
    peakRunning = Math.max(peakRunning, fleet.running())
    onStart(job, waitMs)
  })
  const measured = watchHours(agenda, fleet, options, hours, () => arrived)
  for (const fault of faults) plan(fault, agenda, fleet, options.nodes)
  crowd(agenda, (asked, done) => {
    arrived += 1
    fleet.submit({ ...asked, arrivedAt: agenda.now() }, (outcome) => {
      outcomes[outcome] += 1
      done(outcome)
    })
  })
  agenda.run()
  return {
    arrived,
    outcomes,
    waits: Float64Array.from(waits),
    queued,
    peakRunning,
    hours: measured,
    meanRunning: fleet.areas().runs / agenda.now(),
    endedAtMs: agenda.now(),
    left: fleet.running() + fleet.waiting(),
  }
}

function plan(fault: Fault, agenda: Agenda, fleet: Fleet, nodes: number): void {
  if (fault.kind === 'crash') return agenda.at(fault.atMs, () => fleet.crash(fault.node, fault.downMs))
  const restart = (node: number): void => {
    if (node < nodes) fleet.drain(node, fault.graceMs, fault.downMs, () => restart(node + 1))
  }
  agenda.at(fault.atMs, () => restart(0))
}

/** Samples the fleet at the end of every hour. */
function watchHours(
  agenda: Agenda,
  fleet: Fleet,
  { nodes, places, cores }: FleetOptions,
  hours: number,
  arrived: () => number,
) {
  const measured: { arrived: number; places: number; cores: number }[] = []
  let before = { runs: 0, cpu: 0, arrived: 0 }
  for (let hour = 1; hour <= hours; hour += 1) {
    agenda.at(hour * HOUR, () => {
      const areas = { ...fleet.areas(), arrived: arrived() }
      measured.push({
        arrived: areas.arrived - before.arrived,
        places: (areas.runs - before.runs) / (HOUR * nodes * places),
        cores: (areas.cpu - before.cpu) / (HOUR * nodes * cores),
      })
      before = areas
    })
  }
  return measured
}

/** The value below which that share of them is; `sorted` ascending. */
export const quantile = (sorted: Float64Array, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))] ?? 0
