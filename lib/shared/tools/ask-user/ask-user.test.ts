import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '@/lib/base/json'
import {
  executionRule,
  mayRunAutomatically,
  needsResultApproval,
  rememberable,
} from '@/lib/shared/calls/approval-policy'
import { defaultToolConfig } from '@/lib/shared/conversation/settings/registered-tool'
import { askUser } from '.'
import { answerOf, emptyAnswer, MAX_ANSWER_CHARS, readAnswerDraft, type AnswerDraft } from './answer'
import { questionOf, askLimits } from './question'
import { runAskUser } from './run'

const told = (args: JsonObject, draft: Partial<AnswerDraft>) => answerOf(questionOf(args), { ...emptyAnswer, ...draft })
const said = (args: JsonObject, draft: Partial<AnswerDraft>) => {
  const answer = told(args, draft)
  return answer.ok ? answer.value : answer.error
}
const drink = { question: 'What?', choices: ['Tea', 'Coffee', 'Milk'] }
const trip = {
  question: 'When?',
  fields: [
    { name: 'Start', type: 'date' },
    { name: 'Seats', type: 'number' },
    { name: 'Window', type: 'yes_no', optional: true },
    { name: 'Note', type: 'text', optional: true },
  ],
}

describe('what the model gets of an answer', () => {
  it('names choices by their value, in the order of the question', () => {
    expect(said(drink, { chosen: ['Coffee'] })).toEqual({ chosen: 'Coffee' })
    expect(said({ ...drink, multiple: true }, { chosen: ['Milk', 'Tea'] })).toEqual({ chosen: ['Tea', 'Milk'] })
    expect(said({ ...drink, multiple: true }, {})).toEqual({ chosen: [] })
  })

  it('tells the user’s own text from the choices', () => {
    expect(said({ question: 'Why?' }, { text: ' because\n' })).toEqual({ user_wrote: ' because\n' })
    const other = { ...drink, other: true }
    expect(said(other, { chosen: ['Tea'], writes: true, text: 'Water' })).toEqual({ user_wrote: 'Water' })
    expect(said({ ...other, multiple: true }, { chosen: ['Tea'], writes: true, text: 'Water' })).toEqual({
      chosen: ['Tea'],
      user_wrote: 'Water',
    })
    // Text that was not asked for is left out.
    expect(said(drink, { chosen: ['Tea'], writes: true, text: 'Water' })).toEqual({ chosen: 'Tea' })
    expect(said(other, { chosen: ['Tea'], writes: false, text: 'Water' })).toEqual({ chosen: 'Tea' })
  })

  it('contains the fields’ values exactly, and leaves out empty ones', () => {
    expect(said(trip, { values: ['2026-12-31', '2.50', 'no', ''] })).toEqual({
      fields: { Start: '2026-12-31', Seats: 2.5, Window: false },
    })
    expect(said({ question: 'x', fields: [{ name: '__proto__', type: 'text' }] }, { values: ['y'] })).toEqual({
      fields: Object.fromEntries([['__proto__', 'y']]),
    })
  })

  it.each([
    ['no choice', drink, {}, [{ at: 'choices', why: 'missing' }]],
    ['a choice that is none', drink, { chosen: ['Beer'] }, [{ at: 'choices', why: 'missing' }]],
    ['blanks for words', { question: 'Why?' }, { text: ' \n' }, [{ at: 'text', why: 'missing' }]],
    [
      'too many words',
      { question: 'Why?' },
      { text: 'x'.repeat(MAX_ANSWER_CHARS + 1) },
      [{ at: 'text', why: 'too-long' }],
    ],
    ['a day that there is not', trip, { values: ['2026-02-30', '1'] }, [{ at: 0, why: 'no-date' }]],
    ['a number that reads in two ways', trip, { values: ['2026-02-01', '1,5'] }, [{ at: 1, why: 'no-number' }]],
    [
      'a number with more digits than are told',
      trip,
      { values: ['2026-02-01', '1234567890123456'] },
      [{ at: 1, why: 'no-number' }],
    ],
    [
      'nothing at all',
      trip,
      {},
      [
        { at: 0, why: 'missing' },
        { at: 1, why: 'missing' },
      ],
    ],
  ] as const)('is nothing if there is %s', (_, args, draft, issues) => {
    expect(said(args, draft)).toEqual(issues)
  })
})

const anyText = fc.string({ maxLength: 12 })
const anyQuestion = fc.record(
  {
    question: fc.string({ minLength: 1, maxLength: 20 }),
    choices: fc.array(fc.string({ minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: askLimits.choices }),
    multiple: fc.boolean(),
    other: fc.boolean(),
    fields: fc.array(
      fc.record(
        {
          name: fc.constantFrom('a', 'b', '__proto__'),
          type: fc.constantFrom('text', 'number', 'date', 'yes_no'),
          optional: fc.boolean(),
        },
        { requiredKeys: ['name', 'type'] },
      ),
      { minLength: 1, maxLength: askLimits.fields },
    ),
  },
  { requiredKeys: ['question'] },
)

describe('a question', () => {
  it('loses nothing that fits the schema, and every field has a unique name', () => {
    fc.assert(
      fc.property(anyQuestion, (args) => {
        expect(askUser.run(args as JsonObject).ok).toBe(true)
        const { text, choices, fields } = questionOf(args)
        expect(text).toBe(args.question)
        expect(choices).toEqual([...new Set(args.choices ?? [])])
        expect(fields.map(({ type }) => type)).toEqual((args.fields ?? []).map(({ type }) => type))
        expect(new Set(fields.map(({ name }) => name)).size).toBe(fields.length)
      }),
      { numRuns: 200 },
    )
  })

  it('can be made from anything, within its limits', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('question', 'choices', 'fields', 'other'), fc.jsonValue()), (args) => {
        const question = questionOf(args)
        expect(question.choices.length).toBeLessThanOrEqual(askLimits.choices)
        expect(question.fields.length).toBeLessThanOrEqual(askLimits.fields)
      }),
      { numRuns: 200 },
    )
    expect(questionOf({ question: 'x'.repeat(5_000) }).text).toHaveLength(askLimits.question)
  })

  it.each([
    ['no question', {}],
    ['an empty one', { question: '' }],
    ['too long a one', { question: 'x'.repeat(askLimits.question + 1) }],
    ['no choices in a list of them', { question: 'x', choices: [] }],
    ['too many choices', { question: 'x', choices: Array.from({ length: 13 }, (_, at) => `${at}`) }],
    ['a field of another kind', { question: 'x', fields: [{ name: 'a', type: 'password' }] }],
    ['more than it knows', { question: 'x', html: '<b>' }],
  ])('is refused with %s', (_, args) => {
    expect(askUser.run(args)).toMatchObject({ ok: false })
  })
})

describe('a stored form', () => {
  it('is restored unchanged, and garbage as empty', () => {
    const anyDraft = fc.record({
      chosen: fc.array(anyText),
      writes: fc.boolean(),
      text: anyText,
      values: fc.array(anyText),
    })
    fc.assert(
      fc.property(anyDraft, (draft) => {
        expect(readAnswerDraft(JSON.parse(JSON.stringify(draft)) as JsonObject)).toEqual(draft)
      }),
      { numRuns: 100 },
    )
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(Object.keys(readAnswerDraft(value as JsonObject))).toEqual(['chosen', 'writes', 'text', 'values'])
      }),
      { numRuns: 100 },
    )
  })
})

describe('a call that asks', () => {
  it('returns the answer, and nothing is invented without one', () => {
    const draft = { chosen: ['Tea'], writes: false, text: '', values: [] }
    expect(runAskUser(drink, draft)).toEqual({ ok: true, result: { chosen: 'Tea' } })
    for (const answer of [undefined, {}, 'Tea', { ...draft, chosen: ['Beer'] }]) {
      expect(runAskUser(drink, answer)).toMatchObject({ ok: false, reason: 'no-answer' })
    }
  })

  it('runs by no rule and no grant, and its answer is not reviewed again', () => {
    const config = {
      ...defaultToolConfig,
      mode: 'auto',
      resultGate: 'always',
      toolRules: { ask_user: { execution: 'never' } },
    } as const
    expect(executionRule(askUser, config)).toBe('always')
    expect(mayRunAutomatically(askUser, config, false)).toBe(false)
    expect(rememberable(askUser, { name: 'ask_user', arguments: drink })).toEqual([])
    const outcome = { status: 'completed', result: {}, durationMs: 1, console: [], displays: [] } as const
    expect(needsResultApproval(askUser, config, outcome)).toBe(false)
    expect(needsResultApproval(askUser, config, { ...outcome, status: 'error' })).toBe(true)
  })
})
