import { expect, it } from 'vitest'
import { createTurns } from './sharing-service'

const never = new AbortController().signal
const limits = { total: 2, waitingOfOwner: 2, waiting: 3 }
const quiet = async () => {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve()
}

/** Takes a turn in the background; reports whether it has begun. */
function ask(turns: ReturnType<typeof createTurns>, owner: string, signal = never) {
  const asked = { end: null as (() => void) | null, refused: '' }
  turns.take(owner, signal).then(
    (end) => (asked.end = end),
    (error: { code: string }) => (asked.refused = error.code),
  )
  return asked
}

it('gives each owner one turn at a time, and this many in total', async () => {
  const turns = createTurns(limits)
  const [ada1, ada2, eve1, bob1] = ['ada', 'ada', 'eve', 'bob'].map((owner) => ask(turns, owner))
  await quiet()
  expect([ada1, ada2, eve1, bob1].map((one) => one?.end != null)).toEqual([true, false, true, false])
  eve1?.end?.()
  await quiet()
  expect([ada2?.end != null, bob1?.end != null]).toEqual([false, true])
  ada1?.end?.()
  await quiet()
  expect(ada2?.end != null).toBe(true)
})

it('refuses with a sentence what would wait too long, and drops aborted requests', async () => {
  const turns = createTurns(limits)
  const first = ask(turns, 'ada')
  const gone = new AbortController()
  const [second, third] = [ask(turns, 'ada', gone.signal), ask(turns, 'ada')]
  const tooMany = ask(turns, 'ada')
  await quiet()
  expect(tooMany.refused).toBe('rate-limited')
  gone.abort()
  await quiet()
  expect(second.refused).toBe('bad-request')
  first.end?.()
  await quiet()
  expect(third.end).not.toBeNull()

  const running = ask(turns, 'eve')
  const others = ['b', 'c', 'd', 'e'].map((owner) => ask(turns, owner))
  await quiet()
  expect(running.end).not.toBeNull()
  expect(others.map(({ refused }) => refused)).toEqual(['', '', '', 'unavailable'])
})
