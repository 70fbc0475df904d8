import { createServer } from 'node:net'

const isFree = (port) =>
  new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })

/** The first of `count` free ports in a row, at or above `from`. */
export async function freePorts(from, count) {
  for (let first = from; first < from + 1_000; first += count) {
    const row = await Promise.all(Array.from({ length: count }, (_, index) => isFree(first + index)))
    if (row.every(Boolean)) return first
  }
  throw new Error(`no ${count} free ports above ${from}`)
}
