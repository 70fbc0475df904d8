/** Words of one event of a stream, in their order. */
export interface PlainWords {
  readonly reasoning: string
  readonly text: string
}

type Shape = Readonly<Record<string, unknown>>
const isShape = (value: unknown): value is Shape => typeof value === 'object' && value !== null && !Array.isArray(value)
const isWord = (value: unknown): value is string | null | undefined => value == null || typeof value === 'string'
const isNumber = (value: unknown): boolean => value == null || typeof value === 'number'

/**
 * The words of a chunk that holds nothing but words, as nearly all do:
 *
 *     data: {"id":"c","choices":[{"index":0,"delta":{"role":"assistant","content":"Hi"},"finish_reason":null}]}
 *
 * Null for anything else: an end, usage, tool calls, a refusal, parts, an error, what is no JSON or not of this form.
 */
export function plainWordsOf(line: string): PlainWords | null {
  // The package refuses these names wherever they stand.
  if (line.includes('"__proto__"') || line.includes('"constructor"')) return null
  const value = parsed(line)
  if (!isShape(value) || 'error' in value || value['usage'] != null) return null
  if (!isWord(value['id']) || !isWord(value['model']) || !isNumber(value['created'])) return null
  const choices = value['choices']
  if (!Array.isArray(choices) || choices.length !== 1) return null
  const choice: unknown = choices[0]
  if (!isShape(choice) || choice['finish_reason'] != null) return null
  const delta = choice['delta']
  if (!isShape(delta)) return null
  const { role, content, reasoning_content: thought, reasoning, refusal, tool_calls: calls } = delta
  if (role != null && role !== 'assistant' && role !== '') return null
  if (!isWord(content) || !isWord(thought) || !isWord(reasoning)) return null
  if ((refusal != null && refusal !== '') || (calls != null && !(Array.isArray(calls) && calls.length === 0)))
    return null
  return { reasoning: thought ?? reasoning ?? '', text: content ?? '' }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
