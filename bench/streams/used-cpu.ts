import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'

/** This process's CPU time since its start, in microseconds. */
export function usedCpuUs(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}

/** Linux counts CPU time in hundredths of a second. */
const TICK_US = 10_000

interface ProcessTimes {
  readonly parent: number
  readonly us: number
  /** Of its children that have ended. */
  readonly endedUs: number
}

function timesOf(pid: number | string): ProcessTimes | null {
  try {
    // The name of the command is in brackets and may contain spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ').map(Number) ?? []
    const at = (index: number) => fields[index] ?? 0
    return { parent: at(1), us: (at(11) + at(12)) * TICK_US, endedUs: (at(13) + at(14)) * TICK_US }
  } catch {
    return null
  }
}

/** The CPU time of all processes of a PostgreSQL server on this machine; of any other server it stays 0. */
export async function postgresCpu(url: string): Promise<() => number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const server = timesOf(rows[0]?.pid ?? 0)?.parent ?? 0
  await client.end()
  return () => {
    const own = server === 0 ? null : timesOf(server)
    if (!own) return 0
    const children = readdirSync('/proc').flatMap((pid) => (/^\d+$/.test(pid) ? (timesOf(pid) ?? []) : []))
    return children.reduce((sum, { parent, us }) => (parent === server ? sum + us : sum), own.us + own.endedUs)
  }
}
