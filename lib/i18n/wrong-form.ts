/** A schema's issue, reduced to what a sentence uses. */
interface SchemaIssue {
  readonly code?: string | undefined
  readonly message: string
  readonly expected?: unknown
  readonly maximum?: unknown
  readonly minimum?: unknown
  readonly origin?: unknown
  readonly keys?: unknown
  readonly values?: unknown
}

export type WrongForm = {
  readonly is: string
  readonly wanted: string
  readonly bound: string | number
  /** In the schema's own text, which is English. */
  readonly problem: string
}

/** The values of messages that say what is wrong in some data and where, for the first issue. */
export function wrongForm(issue: SchemaIssue | undefined): WrongForm {
  const none = { is: '', wanted: '', bound: 0, problem: issue?.message ?? '' }
  switch (issue?.code) {
    case 'invalid_type':
      return { ...none, is: 'type', wanted: textOf(issue.expected) }
    case 'too_big':
      return { ...none, is: 'large', wanted: textOf(issue.origin), bound: boundOf(issue.maximum) }
    case 'too_small':
      return { ...none, is: 'small', wanted: textOf(issue.origin), bound: boundOf(issue.minimum) }
    case 'invalid_value':
      return { ...none, is: 'choice', wanted: listOf(issue.values) }
    case 'unrecognized_keys':
      return { ...none, is: 'unknown', wanted: listOf(issue.keys) }
    default:
      return none
  }
}

const maxChars = 200
const textOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, maxChars) : '')
const boundOf = (value: unknown): string | number => (typeof value === 'number' ? value : String(value))
const listOf = (values: unknown): string =>
  Array.isArray(values)
    ? values
        .map((one) => JSON.stringify(one))
        .join(' | ')
        .slice(0, maxChars)
    : ''
