import { parseArgs } from 'node:util'
import { dayOf, usualDay } from './simulate/crowds.ts'
import type { FleetOptions } from './simulate/fleet.ts'
import { createChance } from './simulate/random.ts'
import { reportOf } from './simulate/report.ts'
import { simulate, type Fault } from './simulate/simulate.ts'

// npm run bench -- simulate --owners 100000 --nodes 8: simulates a day of that many owners on that many nodes, event by
// event. A node's capacity is given as the benches measure it: --places, --token-us, --request-ms, --first-text-ms. The
// waits are Nod's own, without the model's time to its first token. docs/hosting/scaling.md has the results, and the
// assumptions about users.

const USAGE = `npm run bench -- simulate [options]

  --owners 100000         people of that day
  --nodes 8               nodes; a process with a core is one
  --places 400            replies that a node writes at a time
  --cores 1               of a node
  --busiest 0.85          share of them from which on a node begins no further reply
  --token-us 162          CPU of a token, with what its reply costs once spread over two hundred
  --request-ms 0          CPU of a reply besides
  --first-text-ms 12      from a request to its first text on an idle node, without the model
  --policy least-runs     or round-robin
  --queue shared          or node: where those wait for whom there is no place
  --queue-places 2000     places in the queue; beyond it is refused
  --patience-s 60         who waited so long gives up
  --sessions 2.5          of one owner
  --crash HOUR            a node breaks then, and is back after --down-s
  --rolling HOUR          all are restarted then, one after the other, each with --grace-s for what it writes
  --down-s 30             --grace-s 30
  --seed 1`

const { values } = parseArgs({
  options: {
    owners: { type: 'string', default: '100000' },
    nodes: { type: 'string', default: '8' },
    places: { type: 'string', default: '400' },
    cores: { type: 'string', default: '1' },
    busiest: { type: 'string', default: '0.85' },
    'token-us': { type: 'string', default: '162' },
    'request-ms': { type: 'string', default: '0' },
    'first-text-ms': { type: 'string', default: '12' },
    policy: { type: 'string', default: 'least-runs' },
    queue: { type: 'string', default: 'shared' },
    'queue-places': { type: 'string', default: '2000' },
    'patience-s': { type: 'string', default: '60' },
    sessions: { type: 'string', default: String(usualDay.sessionsPerOwner) },
    crash: { type: 'string' },
    rolling: { type: 'string' },
    'down-s': { type: 'string', default: '30' },
    'grace-s': { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
})

type Name = keyof typeof values

function number(name: Name, least = 0): number {
  const value = Number(values[name])
  if (!Number.isFinite(value) || value < least)
    throw new Error(`--${name} takes a number from ${least} on.\n\n${USAGE}`)
  return value
}

function oneOf<T extends string>(name: Name, known: readonly T[]): T {
  const found = known.find((one) => one === values[name])
  if (!found) throw new Error(`--${name} is one of: ${known.join(', ')}.\n\n${USAGE}`)
  return found
}

const HOUR_MS = 3_600_000

function faults(): readonly Fault[] {
  const downMs = number('down-s') * 1000
  return [
    ...(values.crash === undefined
      ? []
      : [{ kind: 'crash', atMs: number('crash') * HOUR_MS, node: 0, downMs } as const]),
    ...(values.rolling === undefined
      ? []
      : [
          {
            kind: 'rolling',
            atMs: number('rolling') * HOUR_MS,
            graceMs: number('grace-s') * 1000,
            downMs,
          } as const,
        ]),
  ]
}

function main(): void {
  if (values.help) return console.log(USAGE)
  const fleet: FleetOptions = {
    nodes: number('nodes', 1),
    places: number('places', 1),
    policy: oneOf('policy', ['least-runs', 'round-robin']),
    queue: oneOf('queue', ['shared', 'node']),
    queuePlaces: number('queue-places'),
    patienceMs: number('patience-s') * 1000,
    firstTextMs: number('first-text-ms'),
    cores: number('cores', 0.01),
    busiest: number('busiest', 0.01),
  }
  const day = {
    ...usualDay,
    owners: number('owners', 1),
    sessionsPerOwner: number('sessions'),
    tokenCpuMs: number('token-us') / 1000,
    requestCpuMs: number('request-ms'),
  }
  const found = simulate(fleet, dayOf(day, createChance(number('seed'))), { faults: faults() })
  for (const [name, value] of reportOf(found, fleet)) console.log(`${name.padEnd(36)}${value}`)
}

try {
  main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
