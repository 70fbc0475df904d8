import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { call, user, type Probe, type ProbeRound } from '../probe'
import { offer } from '../probes/probe-tools'
import { judgeRound, judgeTrial, verdicts, type Verdict, pairCalls } from './judge'
import { explainVerdict } from '../lab-why'

const probe: Probe = {
  id: 'test',
  kind: 'one-call',
  question: [user('?')],
  functions: offer('read_file', 'set_timer', 'delete_path'),
  rounds: [],
}
const read: ProbeRound = { expect: 'calls', calls: [call('read_file', { path: ['/a.txt'] }, ['path'])] }
const two: ProbeRound = {
  expect: 'calls',
  calls: [call('read_file', { path: ['/a.txt'] }, ['path']), call('set_timer', { minutes: [5], label: [''] })],
}
const words: ProbeRound = { expect: 'words' }
const ask: ProbeRound = { expect: 'words', asks: true }

const write = (...calls: readonly [string, Record<string, string | number>][]) =>
  toolContextBuilder.get('XML_Tag').formatCalls(calls.map(([name, args]) => ({ name, arguments: args })))
const judge = (round: ProbeRound, text: string, outcome: 'finished' | 'length' = 'finished') =>
  judgeRound(probe, round, 'XML_Tag', { text, outcome })
const rightCall = write(['read_file', { path: '/a.txt' }])

describe('a reply that should call', () => {
  const cases: readonly (readonly [string, ProbeRound, string, Verdict])[] = [
    ['is right', read, `Let me look.\n${rightCall}`, 'right'],
    ['is repaired', read, '<tool_code>{"name":"read_file","arguments":{"path":"/a.txt",}}</tool_code>', 'repaired'],
    ['has another value', read, write(['read_file', { path: '/b.txt' }]), 'wrong-arguments'],
    ['leaves an argument out', read, write(['read_file', {}]), 'wrong-arguments'],
    ['takes another tool', read, write(['delete_path', { path: '/a.txt' }]), 'wrong-tool'],
    ['invents a tool', read, write(['open_file', { path: '/a.txt' }]), 'wrong-tool'],
    ['only talks', read, 'I would read the file.', 'no-call'],
    ['says nothing', read, ' \n', 'unreadable'],
    ['breaks off', read, '<tool_code>{"name":"read_file","arguments":{"path":"/a.t', 'unreadable'],
    [
      'has another form',
      read,
      toolContextBuilder.get('JSON_Strict').formatCalls([{ name: 'read_file', arguments: { path: '/a.txt' } }]),
      'unreadable',
    ],
    ['calls in its thoughts only', read, `<think>\n${rightCall}\n</think>\nDone.`, 'unreadable'],
    ['calls in a code block', read, `~~~text\n${rightCall}\n~~~`, 'unreadable'],
    ['makes one of two', two, rightCall, 'no-call'],
    ['makes both, in any order', two, write(['set_timer', { minutes: 5 }], ['read_file', { path: '/a.txt' }]), 'right'],
    [
      'makes one call too many',
      read,
      write(['read_file', { path: '/a.txt' }], ['read_file', { path: '/b' }]),
      'false-call',
    ],
    ['makes the same call twice', read, `${rightCall}\n${rightCall}`, 'false-call'],
  ]
  it.each(cases)('%s', (_, round, text, verdict) => {
    expect(judge(round, text)).toMatchObject({ verdict })
  })

  it('does not count a call without a Run button: a repeated envelope', () => {
    const envelope = toolContextBuilder
      .get('JSON_Strict')
      .formatCalls([{ name: 'read_file', arguments: { path: '/a.txt' } }])
    const judged = judgeRound(probe, read, 'JSON_Strict', { text: `${envelope}\n\n${envelope}`, outcome: 'finished' })
    expect(judged).toMatchObject({ verdict: 'right', calls: [{ name: 'read_file' }] })
  })

  it('counts no call of a reply that was too long', () => {
    expect(judge(read, rightCall, 'length')).toMatchObject({ verdict: 'unreadable', calls: [] })
  })
})

describe.each(toolContextBuilder.strategies.filter(({ callsBy }) => callsBy === 'model'))(
  'a call of $id that is unfinished or inside a thought',
  ({ id, formatCalls }) => {
    const tools = offer('read_file', 'set_timer', 'delete_path')
    const asks: Probe = { ...probe, functions: tools }
    const whole = formatCalls([{ name: 'set_timer', arguments: { minutes: 15, label: 'tea' } }])
    const round: ProbeRound = {
      expect: 'calls',
      calls: [call('set_timer', { minutes: [15], label: ['tea', ''] })],
    }
    const verdictOf = (text: string, of: ProbeRound = round) =>
      judgeRound(asks, of, id, { text, outcome: 'finished' }).verdict

    it('is never right if it is cut, wherever, alone or before the whole one', () => {
      for (let end = 1; end < whole.length; end++) {
        const cut = whole.slice(0, end)
        const alone = judgeRound(asks, round, id, { text: cut, outcome: 'finished' })
        // A right one is complete: only its last marks are missing.
        if (alone.verdict === 'right' || alone.verdict === 'repaired')
          expect([cut, alone.calls[0]?.arguments['minutes'], alone.calls[0]?.arguments['label']]).toEqual([
            cut,
            15,
            'tea',
          ])
        else expect([cut, ['unreadable', 'no-call'].includes(alone.verdict)]).toEqual([cut, true])
      }
    })

    it('a call in a thought does not count, nor the call or text behind it', () => {
      for (const draft of [whole, whole.slice(0, whole.length / 2), whole.slice(0, -3)]) {
        const thought = `<think>\nMaybe:\n${draft}\n</think>\n\n`
        expect([thought, verdictOf(thought + whole)]).toEqual([thought, 'right'])
        expect([thought, verdictOf(`${thought}It is tea time.`, words)]).toEqual([thought, 'right'])
        expect(['unreadable', 'no-call']).toContain(verdictOf(`${thought}It is tea time.`))
      }
    })
  },
)

describe('a reply that should not call', () => {
  const cases: readonly (readonly [string, ProbeRound, string, Verdict])[] = [
    ['answers', words, 'The capital is Paris.', 'right'],
    ['calls', words, rightCall, 'false-call'],
    ['calls and breaks off', words, '<tool_code>{"name":"read_file","argu', 'false-call'],
    ['shows an example in a quotation', words, `It would be:\n\n~~~text\n${rightCall}\n~~~`, 'right'],
    ['says nothing', words, '', 'unreadable'],
    ['asks', ask, 'Which file do you mean?', 'right'],
    ['asks without a question mark', ask, 'Please tell me the name of the file.', 'right'],
    ['asks in Chinese', ask, '请问是哪个文件？', 'right'],
    ['does not ask', ask, 'I have read the file. It is nice.', 'no-call'],
    ['asks and calls', ask, `Which file?\n${rightCall}`, 'false-call'],
    ['asks in its thoughts only', ask, '<think>Which file?</think>Done.', 'no-call'],
  ]
  it.each(cases)('%s', (_, round, text, verdict) => {
    expect(judge(round, text)).toMatchObject({ verdict })
  })
})

describe('a judgement', () => {
  it('of several rounds is that of the first failed one, else mentions a repair', () => {
    const of = (verdict: Verdict) => ({ verdict, why: { reason: 'lab.why.right', values: {} } })
    expect(judgeTrial([of('right'), of('wrong-tool'), of('no-call')]).verdict).toBe('wrong-tool')
    expect(judgeTrial([of('repaired'), of('right')]).verdict).toBe('repaired')
    expect(judgeTrial([of('right'), of('right')]).verdict).toBe('right')
  })

  it('has a sentence, whatever a model writes, under every strategy', () => {
    const anything = fc.oneof(
      fc.string(),
      fc.constantFrom(rightCall, '<tool_code>', '{"tool_calls":[', '```json\n{}\n```'),
    )
    fc.assert(
      fc.property(fc.array(anything, { maxLength: 4 }), fc.constantFrom(read, two, words, ask), (pieces, round) => {
        for (const { id } of toolContextBuilder.strategies) {
          const judged = judgeRound(probe, round, id, { text: pieces.join('\n'), outcome: 'finished' })
          expect(verdicts).toContain(judged.verdict)
          expect(explainVerdict(judged.why)).toMatch(/^[A-Z][^]*\.$/)
          expect(judged.partners.length).toBe(judged.calls.length)
        }
      }),
      { numRuns: 100 },
    )
  })

  it('pairs as many calls as possible', () => {
    const reference = (fits: readonly (readonly boolean[])[], at = 0, used: readonly number[] = []): number => {
      if (at === fits.length) return used.length
      const skipped = reference(fits, at + 1, used)
      const taken = (fits[at] ?? []).map((fit, place) =>
        fit && !used.includes(place) ? reference(fits, at + 1, [...used, place]) : 0,
      )
      return Math.max(skipped, ...taken)
    }
    const row = fc.array(fc.boolean(), { minLength: 4, maxLength: 4 })
    fc.assert(
      fc.property(fc.array(row, { maxLength: 5 }), (fits) => {
        const partners = pairCalls(fits)
        const taken = partners.filter((one) => one !== null)
        expect(new Set(taken).size).toBe(taken.length)
        for (const [at, partner] of partners.entries()) if (partner !== null) expect(fits[at]?.[partner]).toBe(true)
        expect(taken.length).toBe(reference(fits))
      }),
    )
  })
})
