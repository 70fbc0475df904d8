import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'
import { err, ok, type Result } from '@/lib/base/result'
import { isPlainQuestion, type UserQuestion, type QuestionField } from './question'

/*
 * The user's answer to a question, from the form to what the model gets:
 *
 *   { chosen: ["Rome"], writes: false, text: "", values: [] }          → { "chosen": "Rome" }
 *   { chosen: ["tea"], writes: true, text: "no sugar", values: [] }    → { "chosen": ["tea"], "user_wrote": "no sugar" }
 *   { chosen: [], writes: false, text: "", values: ["3", "yes"] }      → { "fields": { "Seats": 3, "Veg": true } }
 */

/** The longest text of an answer, in characters. */
export const MAX_ANSWER_CHARS = 10_000

/** The state of the form; JSON, so that it can be stored. */
export interface AnswerDraft {
  /** Choices, as the question lists them. */
  readonly chosen: readonly string[]
  /** With choices: the user's own text is added or used instead. */
  readonly writes: boolean
  readonly text: string
  /** One per field, in order, as typed: a date as 2026-12-31, `yes`, `no`, or '' for nothing. */
  readonly values: readonly string[]
}

/** Why a draft is not a valid answer. `at`: the choices, the text, or the index of a field. */
export interface AnswerIssue {
  readonly at: 'choices' | 'text' | number
  readonly why: 'missing' | 'too-long' | 'no-number' | 'no-date'
}

export const emptyAnswer: AnswerDraft = { chosen: [], writes: false, text: '', values: [] }

export const isEmptyAnswer = ({ chosen, writes, text, values }: AnswerDraft): boolean =>
  chosen.length === 0 && !writes && text === '' && values.every((value) => value === '')

/** Reads a stored draft; the empty one if it is invalid. */
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
 * What the model gets, or everything that is missing. Choices are given by their value, in the order of the question;
 * texts, numbers and dates as they were typed; empty optional fields are left out.
 */
export function answerOf(question: UserQuestion, draft: AnswerDraft): Result<JsonObject, readonly AnswerIssue[]> {
  const { choices, multiple, other, fields } = question
  const isPlain = isPlainQuestion(question)
  const writes = isPlain || (other && draft.writes)
  const chosen = choices.filter((choice) => draft.chosen.includes(choice)).slice(0, multiple ? choices.length : 1)
  // For a single choice, the user's text replaces the choice.
  const taken = writes && !multiple ? [] : chosen
  const values = fields.map((field, at) => readField(field, draft.values[at] ?? ''))
  const issues: readonly AnswerIssue[] = [
    ...(choices.length > 0 && !multiple && !writes && taken.length === 0 ? [missing('choices')] : []),
    ...(writes ? textIssues(draft.text, 'text') : []),
    ...values.flatMap((value, at) => (value.ok ? [] : [{ at, why: value.error }])),
  ]
  if (issues.length > 0) return err(issues)
  const answers = values.flatMap((value, at) => {
    const name = fields[at]?.name
    return value.ok && value.value !== null && name !== undefined ? [[name, value.value] as const] : []
  })
  return ok({
    ...(choices.length === 0 ? {} : multiple ? { chosen: taken } : taken[0] === undefined ? {} : { chosen: taken[0] }),
    ...(writes ? { user_wrote: draft.text } : {}),
    ...(fields.length > 0 ? { fields: Object.fromEntries(answers) } : {}),
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

/** Unambiguous, and short enough to be passed on exactly. */
const isNumber = (typed: string): boolean => /^-?\d+(?:\.\d+)?$/.test(typed) && typed.replace(/\D/g, '').length <= 15

function isDate(typed: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(typed) ?? []
  if (year === undefined) return false
  const date = new Date(`${typed}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.getUTCMonth() + 1 === Number(month) && date.getUTCDate() === Number(day)
}
