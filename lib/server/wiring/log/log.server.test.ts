import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { makeError } from '@/lib/i18n/t'
import { redactSecret, logProblem } from './log.server'

let lines: string[] = []
beforeEach(() => {
  lines = []
  vi.useFakeTimers()
  vi.spyOn(console, 'warn').mockImplementation((line: string) => void lines.push(line))
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  redactSecret([])
})

it('prints no secret, neither in a message nor in a stack or a cause', () => {
  redactSecret(['zzTOPSECRET1234567890', null])
  logProblem('a request failed', new Error('no: zzTOPSECRET1234567890'))
  logProblem('the store', makeError('unavailable', 'store.no-answer', {}, { cause: new Error('refused 1234567890') }))
  logProblem('plain', 'zzTOPSECRET1234567890')
  logProblem('with Bearer abcdefgh12345')
  expect(lines).toHaveLength(4)
  for (const line of lines) expect(line).not.toMatch(/TOPSECRET|1234567890|abcdefgh/)
})

it('prints refusals in one line, and unexpected errors with their stack', () => {
  logProblem('refused', makeError('unavailable', 'chat.import.server-full'))
  logProblem('unexpected', new Error('boom'))
  expect(lines[0]).toBe('[nod] refused: The server is busy with other imports. Try again in a moment.')
  expect(lines[1]).toContain('\n    at ')
})

it('counts repeated problems instead of printing them', () => {
  const flood = () => logProblem('flood', makeError('unavailable', 'chat.import.server-full'))
  for (let n = 0; n < 500; n += 1) flood()
  expect(lines).toHaveLength(1)
  vi.advanceTimersByTime(10_001)
  flood()
  expect(lines[1]).toMatch(/499 times more/)
})
