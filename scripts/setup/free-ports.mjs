import { createServer } from 'node:net'

/** Whether the loopback port is free. */
export const isFreePort = (port, host = '127.0.0.1') =>
  new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, host, () => probe.close(() => resolve(true)))
  })

/** The first of `count` consecutive free ports, at or above `from`. */
export async function freePorts(from, count) {
  for (let first = from; first < from + 1_000; first += count) {
    const row = await Promise.all(Array.from({ length: count }, (_, index) => isFreePort(first + index)))
    if (row.every(Boolean)) return first
  }
  throw new Error(`no ${count} free ports above ${from}`)
}
