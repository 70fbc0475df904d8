import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'
import { err, ok, type Result } from '@/lib/base/result'
import { isPlainQuestion, type UserQuestion, type QuestionField } from './question'

/*
 * What a person made of a question, from the first key to what the model is told:
 *
 *   { chosen: ["Rome"], writes: false, text: "", values: [] }          → { "chosen": "Rome" }
 *   { chosen: ["tea"], writes: true, text: "no sugar", values: [] }    → { "chosen": ["tea"], "user_wrote": "no sugar" }
 *   { chosen: [], writes: false, text: "", values: ["3", "yes"] }      → { "fields": { "Seats": 3, "Veg": true } }
 */

/** The longest text of an answer, characters. */
export const MAX_ANSWER_CHARS = 10_000

/** The form as it is filled in; JSON, so that it can be kept. */
export interface AnswerDraft {
  /** Choices, as the question has them. */
  readonly chosen: readonly string[]
  /** Among choices: words of one's own stand beside or for them. */
  readonly writes: boolean
  readonly text: string
  /** One a field, by its place, as typed: a date as 2026-12-31, `yes`, `no`, or '' for nothing. */
  readonly values: readonly string[]
}

/** What keeps a draft from being an answer. `at`: the choices, the text, or the place of a field. */
export interface AnswerIssue {
  readonly at: 'choices' | 'text' | number
  readonly why: 'missing' | 'too-long' | 'no-number' | 'no-date'
}

export const emptyAnswer: AnswerDraft = { chosen: [], writes: false, text: '', values: [] }

export const isEmptyAnswer = ({ chosen, writes, text, values }: AnswerDraft): boolean =>
  chosen.length === 0 && !writes && text === '' && values.every((value) => value === '')

/** A draft that was kept; the empty one where nothing like it stands. */
export function readAnswerDraft(value: JsonValue | undefined): AnswerDraft {
  if (!isJsonObject(value ?? null)) return emptyAnswer
  const { chosen, writes, text, values } = value as JsonObject
  return {
    chosen: textsIn(chosen),
    writes: writes === true,
    text: typeof text === 'string' ? text : '',
    values: textsIn(values),
  }
}

const textsIn = (value: JsonValue | undefined): readonly string[] =>
  Array.isArray(value) ? (value as readonly JsonValue[]).filter((one) => typeof one === 'string') : []

/**
 * What the model is told, or all that is missing. Choices are told by their value, in the order of the question; words, numbers
 * and dates as they were written; what may be left out and was, is not in it.
 */
export function answerOf(question: UserQuestion, draft: AnswerDraft): Result<JsonObject, readonly AnswerIssue[]> {
  const { choices, multiple, other, fields } = question
  const isPlain = isPlainQuestion(question)
  const writes = isPlain || (other && draft.writes)
  const chosen = choices.filter((choice) => draft.chosen.includes(choice)).slice(0, multiple ? choices.length : 1)
  // One of several: the words take the place of a choice.
  const taken = writes && !multiple ? [] : chosen
  const values = fields.map((field, at) => readField(field, draft.values[at] ?? ''))
  const issues: readonly AnswerIssue[] = [
    ...(choices.length > 0 && !multiple && !writes && taken.length === 0 ? [missing('choices')] : []),
    ...(writes ? textIssues(draft.text, 'text') : []),
    ...values.flatMap((value, at) => (value.ok ? [] : [{ at, why: value.error }])),
  ]
  if (issues.length > 0) return err(issues)
  const said = values.flatMap((value, at) => {
    const name = fields[at]?.name
    return value.ok && value.value !== null && name !== undefined ? [[name, value.value] as const] : []
  })
  return ok({
    ...(choices.length === 0 ? {} : multiple ? { chosen: taken } : taken[0] === undefined ? {} : { chosen: taken[0] }),
    ...(writes ? { user_wrote: draft.text } : {}),
    ...(fields.length > 0 ? { fields: Object.fromEntries(said) } : {}),
  })
}

const missing = (at: AnswerIssue['at']): AnswerIssue => ({ at, why: 'missing' })

const textIssues = (text: string, at: AnswerIssue['at']): readonly AnswerIssue[] =>
  text.trim() === '' ? [{ at, why: 'missing' }] : text.length > MAX_ANSWER_CHARS ? [{ at, why: 'too-long' }] : []

/** Null: left out. */
function readField({ type, optional }: QuestionField, typed: string): Result<JsonValue, AnswerIssue['why']> {
  if (typed.trim() === '') return optional ? ok(null) : err('missing')
  switch (type) {
    case 'text':
      return typed.length > MAX_ANSWER_CHARS ? err('too-long') : ok(typed)
    case 'number':
      return isNumber(typed.trim()) ? ok(Number(typed)) : err('no-number')
    case 'date':
      return isDate(typed.trim()) ? ok(typed.trim()) : err('no-date')
    case 'yes_no':
      return typed === 'yes' || typed === 'no' ? ok(typed === 'yes') : err('missing')
  }
}

/** Written so that nobody reads it in two ways, and short enough to be told to the last digit. */
const isNumber = (typed: string): boolean => /^-?\d+(?:\.\d+)?$/.test(typed) && typed.replace(/\D/g, '').length <= 15

function isDate(typed: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(typed) ?? []
  if (year === undefined) return false
  const date = new Date(`${typed}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.getUTCMonth() + 1 === Number(month) && date.getUTCDate() === Number(day)
}
