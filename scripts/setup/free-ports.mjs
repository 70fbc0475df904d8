import { createServer } from 'node:net'

/** Whether no one listens on the port of this machine's loopback address. */
export const isFreePort = (port, host = '127.0.0.1') =>
  new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, host, () => probe.close(() => resolve(true)))
  })

/** The first of `count` free ports in a row, at or above `from`. */
export async function freePorts(from, count) {
  for (let first = from; first < from + 1_000; first += count) {
    const row = await Promise.all(Array.from({ length: count }, (_, index) => isFreePort(first + index)))
    if (row.every(Boolean)) return first
  }
  throw new Error(`no ${count} free ports above ${from}`)
}
