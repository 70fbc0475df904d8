import { readdir, readFile } from 'node:fs/promises'

/*
 * The memory of the renderers of this process' browsers, from Linux's process table. The browser's own measure
 * (`measureUserAgentSpecificMemory`) is only for pages that are isolated from all others, and ours is not.
 */

interface ProcessRow {
  readonly parent: number
  readonly isRenderer: boolean
  /** Without memory-mapped files, which all processes share. */
  readonly bytes: number
}

const kilobytesOf = (status: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0)

async function readProcess(pid: string): Promise<readonly [number, ProcessRow] | null> {
  try {
    const [status, command] = await Promise.all([
      readFile(`/proc/${pid}/status`, 'utf8'),
      readFile(`/proc/${pid}/cmdline`, 'utf8'),
    ])
    const bytes = 1024 * (kilobytesOf(status, 'RssAnon') + kilobytesOf(status, 'RssShmem'))
    const parent = Number(/^PPid:\s+(\d+)/m.exec(status)?.[1] ?? 0)
    return [Number(pid), { parent, bytes, isRenderer: command.includes('--type=renderer') }]
  } catch {
    // It has ended meanwhile.
    return null
  }
}

/** Bytes. */
export async function rendererBytes(): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const rows = new Map((await Promise.all(pids.map(readProcess))).filter((row) => row !== null))
  const isOurs = (pid: number): boolean => {
    const row = rows.get(pid)
    return row !== undefined && (row.parent === process.pid || (row.parent > 1 && isOurs(row.parent)))
  }
  return [...rows].reduce((sum, [pid, row]) => sum + (row.isRenderer && isOurs(pid) ? row.bytes : 0), 0)
}
