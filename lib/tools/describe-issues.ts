import { english } from '@/lib/base/locale'
import { visibleText } from '@/lib/base/foreign-text/foreign-text'
import type { core } from 'zod/mini'
import type { JsonObject } from '@/lib/base/json'

const typeOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`)

const article = (type: string) => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`)

const countOf = (count: number | bigint) =>
  english.plural(Number(count), { one: '1 item', other: `${String(count)} items` })

/** Keys that are named, and how much of one: the model chose them, and the sentence is ours. */
const NAMED_KEYS = 5
const quotedKey = (key: string): string => `\`${visibleText(key.slice(0, 40), 'name').replaceAll('`', '’')}\``

function describeIssue(issue: core.$ZodIssue, args: JsonObject): string {
  const name = issue.path.map(String).join('.')
  const subject = name === '' ? 'The arguments' : `\`${name}\``
  const value = issue.path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], args)
  switch (issue.code) {
    case 'invalid_type': {
      const expected = article(issue.expected === 'int' ? 'whole number' : issue.expected)
      if (value === undefined) return `${subject} is missing: it must be ${expected}.`
      if (typeof value === 'number') return `${subject} must be ${expected}, but it was ${String(value)}.`
      return `${subject} must be ${expected}, but it was ${typeOf(value)}.`
    }
    case 'too_small':
      if (issue.origin === 'string') return `${subject} must not be empty.`
      if (issue.origin === 'array') return `${subject} must hold at least ${countOf(issue.minimum)}.`
      return `${subject} must be at least ${String(issue.minimum)}, but it was ${String(value)}.`
    case 'too_big':
      if (issue.origin === 'string') return `${subject} may hold at most ${String(issue.maximum)} characters.`
      if (issue.origin === 'array') return `${subject} may hold at most ${countOf(issue.maximum)}.`
      return `${subject} must be at most ${String(issue.maximum)}, but it was ${String(value)}.`
    case 'unrecognized_keys':
      return `There is no parameter ${issue.keys.slice(0, NAMED_KEYS).map(quotedKey).join(', ')}${issue.keys.length > NAMED_KEYS ? ' …' : ''}.`
    default:
      return `${subject} is not valid.`
  }
}

/** Sentences that name each parameter and what was expected, fit for people and models. */
export const describeIssues = (issues: readonly core.$ZodIssue[], args: JsonObject): string =>
  issues.map((issue) => describeIssue(issue, args)).join(' ')
