import { getHeapSpaceStatistics } from 'node:v8'
import { startSmall } from '../start-small.server'

// Run in its own process. Measures how large V8 makes the new space while much data is allocated and dropped, as during
// a start; in bytes.

function spaceAfterWork(): number {
  const kept: object[] = []
  for (let n = 0; n < 600_000; n += 1) {
    kept.push({ n, text: `${n}` })
    if (kept.length > 60_000) kept.splice(0, 30_000)
  }
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? Number.NaN
}

const hasStarted = startSmall()
const held = spaceAfterWork()
hasStarted()
process.stdout.write(JSON.stringify({ held, free: spaceAfterWork() }))
