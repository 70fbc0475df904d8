import { readdir, readFile } from 'node:fs/promises'

/** Memory in bytes of the largest renderer below this process: the page's, with its workers. */
async function largestRenderer(): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const rows = new Map((await Promise.all(pids.map(readProcess))).filter((row) => row !== null))
  const isOurs = (pid: number): boolean => {
    const row = rows.get(pid)
    return row !== undefined && (row.parent === process.pid || (row.parent > 1 && isOurs(row.parent)))
  }
  return Math.max(0, ...[...rows].map(([pid, row]) => (row.isRenderer && isOurs(pid) ? row.bytes : 0)))
}

interface ProcessRow {
  readonly parent: number
  readonly bytes: number
  readonly isRenderer: boolean
}

async function readProcess(pid: string): Promise<readonly [number, ProcessRow] | null> {
  try {
    const [status, command] = await Promise.all([
      readFile(`/proc/${pid}/status`, 'utf8'),
      readFile(`/proc/${pid}/cmdline`, 'utf8'),
    ])
    const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)
    return [
      Number(pid),
      { parent: field('PPid'), bytes: field('VmRSS') * 1_024, isRenderer: command.includes('--type=renderer') },
    ]
  } catch {
    return null
  }
}

/** Samples ten times a second. `end` returns the peak in bytes. */
export function watchMemory(): { readonly now: () => Promise<number>; readonly end: () => Promise<number> } {
  let most = 0
  const look = async () => {
    most = Math.max(most, await largestRenderer())
  }
  const timer = setInterval(() => void look(), 100)
  return {
    now: largestRenderer,
    async end() {
      clearInterval(timer)
      await look()
      return most
    },
  }
}
