import fc from 'fast-check'
import { anyText } from '@/lib/base/testing/any-text'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { makeError } from '@/lib/i18n/t'
import { logAsJson } from './json-log.server'
import { redactSecret, logLine, logProblem, setLogSink, logForOperator } from './log.server'

let written: string[] = []
beforeEach(() => {
  written = []
  logAsJson('info', { process: 7 }, { write: (line: string) => void written.push(line) })
})
afterEach(() => {
  setLogSink(null)
  redactSecret([])
  vi.restoreAllMocks()
})
const lines = () => written.map((line) => JSON.parse(line) as Record<string, unknown>)

describe('the log as JSON', () => {
  it('writes one line per entry, with its level, time and fields', () => {
    logLine('info', 'request', { method: 'GET', route: '/c/[id]', status: 200, ms: 3 })
    logProblem('refused', makeError('unavailable', 'chat.import.server-full'))
    logForOperator(['  Models', '    Demo: built in', '    Lab: 2 models', '', '  Open to the network'])
    logLine('debug', 'not asked for')
    expect(lines()).toMatchObject([
      { level: 'info', process: 7, msg: 'request', method: 'GET', route: '/c/[id]', status: 200, ms: 3 },
      { level: 'warn', msg: 'refused: The server is busy with other imports. Try again in a moment.' },
      { level: 'info', msg: 'Models: Demo: built in' },
      { level: 'info', msg: 'Models: Lab: 2 models' },
      { level: 'info', msg: 'Open to the network' },
    ])
    for (const { time } of lines()) expect(String(time)).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    for (const line of written) expect(line.indexOf('\n')).toBe(line.length - 1)
  })

  it('contains no secret, whatever it is and wherever it is put, as JSON and as text', () => {
    const text: string[] = []
    vi.spyOn(console, 'warn').mockImplementation((line: string) => void text.push(line))
    const secrets = fc.oneof(
      anyText({ minLength: 12, maxLength: 60 }),
      fc.base64String({ minLength: 16, maxLength: 60 }),
      fc.string({ minLength: 12, maxLength: 40 }),
    )
    const around = fc.constantFrom('', ' ', '"', '\\', '\n', 'token=', '//u:', '{"key":"')
    const check = fc.property(secrets, around, around, fc.boolean(), (given, before, after, asJson) => {
      const secret = given.trim()
      fc.pre(secret.length >= 12)
      written = []
      text.length = 0
      if (asJson) logAsJson('debug', {}, { write: (line: string) => void written.push(line) })
      else setLogSink(null)
      redactSecret([given])
      const said = `${before}${secret}${after}`
      logLine('warn', said, { route: said, status: 500 })
      logLine('error', 'x', { detail: said })
      logProblem(said, new Error(said, { cause: new Error(said) }))
      logProblem('the store', makeError('unavailable', 'chat.restarting', {}, { cause: new Error(said) }))
      // What a reader of the log sees: the values without JSON's quotation marks.
      const seen = asJson ? lines().flatMap((line) => Object.values(line).map(String)) : text
      const pieces = Array.from({ length: secret.length - 11 }, (_, at) => secret.slice(at, at + 12))
      return seen.length >= 4 && !seen.some((value) => pieces.some((piece) => value.includes(piece)))
    })
    expect(fc.check(check, { numRuns: 300 }).counterexample).toBeNull()
  })
})
