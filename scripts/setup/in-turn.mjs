import { appendFileSync, readFileSync } from 'node:fs'
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** After this long a process id may belong to another program: after a restart of the machine, for example. */
const staleMs = 20 * 60_000
const lookMs = 500

/** False also for one that has ended and that nobody has waited for: many containers never do. */
export function isAlive(pid) {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return process.platform !== 'linux'
  }
}

/** The processes that hold the file and still run; null: there is no file. */
async function holdersOf(file) {
  const info = await stat(file).catch(() => null)
  if (!info) return null
  if (Date.now() - info.mtimeMs > staleMs) return []
  const pids = (await readFile(file, 'utf8').catch(() => '')).split('\n').map(Number)
  return pids.filter((pid) => pid > 0 && pid !== process.pid && isAlive(pid))
}

/**
 * Runs `work` while no other script does that holds the same file; a second one waits, after one call of `onWait`.
 * `work` gets a function that adds a process, because one that it starts may outlive it.
 * @template T
 * @param {string} file
 * @param {(pids: readonly number[]) => void} onWait
 * @param {(add: (pid: number) => void) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function inTurn(file, onWait, work) {
  await mkdir(path.dirname(file), { recursive: true })
  for (let told = false; ;) {
    const holders = await holdersOf(file)
    if (holders === null || holders.length === 0) {
      if (holders) await rm(file, { force: true })
      const made = await writeFile(file, `${process.pid}\n`, { flag: 'wx' }).then(
        () => true,
        () => false,
      )
      if (made) break
    } else if (!told) {
      told = true
      onWait(holders)
    }
    await wait(lookMs)
  }
  try {
    return await work((pid) => appendFileSync(file, `${pid}\n`))
  } finally {
    await rm(file, { force: true })
  }
}
