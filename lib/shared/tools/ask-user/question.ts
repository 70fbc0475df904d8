import { isRecord } from '@/lib/base/json'
import { lookOf } from '@/lib/base/untrusted-text/look-alikes'

/** The kinds of fields that a form can have. */
export const fieldTypes = ['text', 'number', 'date', 'yes_no'] as const

/** The limits of one question: characters of its texts, and the number of its parts. */
export const askLimits = { question: 2_000, choices: 12, choice: 200, fields: 8, name: 60 } as const

export interface QuestionField {
  /** The field's name, for the user and in the answer; unique within its question. */
  readonly name: string
  readonly type: (typeof fieldTypes)[number]
  readonly optional: boolean
}

/** A model's question to the user. Without choices and fields the answer is a text. */
export interface UserQuestion {
  readonly text: string
  /** Each once. */
  readonly choices: readonly string[]
  /** Several choices may be selected, or none. */
  readonly multiple: boolean
  /** The user's own text may replace a choice, or be added to several. */
  readonly other: boolean
  readonly fields: readonly QuestionField[]
}

/** The arguments of a call, checked or not. */
export type AskArguments = Readonly<Partial<Record<'question' | 'choices' | 'multiple' | 'other' | 'fields', unknown>>>

/** The indexes of choices that look like another one: by their spaces, similar letters, or invisible characters. */
export function alikeChoices(choices: readonly string[]): ReadonlySet<number> {
  const looks = choices.map(lookOf)
  return new Set(looks.flatMap((look, at) => (looks.indexOf(look) !== looks.lastIndexOf(look) ? [at] : [])))
}

/** It has no choices and no fields: the user writes a text. */
export const isPlainQuestion = ({ choices, fields }: UserQuestion): boolean =>
  choices.length === 0 && fields.length === 0

/**
 * The question of a call, whatever its arguments contain: invalid parts, and those over the limits, are left out.
 * Arguments that fit the tool’s schema lose nothing, except duplicate choices; of fields with the same name the second
 * is called `name 2`.
 */
export function questionOf({ question, choices, multiple, other, fields }: AskArguments): UserQuestion {
  const options = [...new Set(listOf(choices).filter(isText))].slice(0, askLimits.choices)
  return {
    text: typeof question === 'string' ? question.slice(0, askLimits.question) : '',
    choices: options.map((choice) => choice.slice(0, askLimits.choice)),
    multiple: multiple === true && options.length > 0,
    other: other === true && options.length > 0,
    fields: named(listOf(fields).flatMap(fieldOf).slice(0, askLimits.fields)),
  }
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

function fieldOf(value: unknown): readonly QuestionField[] {
  if (!isRecord(value)) return []
  const { name, type, optional } = value
  const known = fieldTypes.find((one) => one === type)
  if (known === undefined || typeof name !== 'string' || name === '') return []
  return [{ name: name.slice(0, askLimits.name), type: known, optional: optional === true }]
}

function named(fields: readonly QuestionField[]): readonly QuestionField[] {
  const taken = new Set<string>()
  return fields.map((field) => {
    let { name } = field
    for (let count = 2; taken.has(name); count += 1) name = `${field.name} ${count}`
    taken.add(name)
    return { ...field, name }
  })
}
