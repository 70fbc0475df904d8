import { expect, it } from 'vitest'
import { askAgain } from '../runs/clock'
import { createManualClock } from '../chats/testing/manual-clock'

const away = () => Object.assign(new Error('terminating connection'), { code: '57P01' })

function asking(answers: readonly (Error | string)[]) {
  const clock = createManualClock()
  const abort = new AbortController()
  let asked = 0
  const ask = () => {
    const answer = answers[Math.min((asked += 1), answers.length) - 1]
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)
  }
  const said = askAgain(clock, ask, abort.signal).then(String, (error: unknown) => error)
  return { clock, abort, said, asked: () => asked }
}

it('retries until an unavailable store responds', async () => {
  const { clock, said, asked } = asking([away(), away(), 'here'])
  await clock.pass(600)
  expect([await said, asked()]).toEqual(['here', 3])
})

it('gives up after some seconds with the store’s error', async () => {
  const error = away()
  const { clock, said } = asking([error])
  await clock.pass(30_000)
  expect(await said).toBe(error)
})

it('retries neither other errors nor an aborted call', async () => {
  const wrong = new Error('no such column')
  const first = asking([wrong, 'here'])
  expect([await first.said, first.asked()]).toEqual([wrong, 1])
  const second = asking([away()])
  await second.clock.pass(100)
  const reason = new Error('stopped')
  second.abort.abort(reason)
  expect([await second.said, second.asked()]).toEqual([reason, 1])
})
