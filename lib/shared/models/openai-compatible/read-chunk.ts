import { isRecord } from '@/lib/base/json'

type Shape = Readonly<Record<string, unknown>>

/** The content of a chunk of a reply; everything else in it is ignored. */
export interface ChunkWords {
  readonly reasoning: string
  readonly text: string
  /** The model’s own words for not answering; they are text too. */
  readonly refusal: string
  readonly calls: readonly CallDelta[]
  /** Why the reply ends here, in the server's words; null: it continues. */
  readonly finish: string | null
}

/** A piece of a native tool call. Left out: not in this piece. */
export interface CallDelta {
  readonly index?: number
  readonly id?: string
  readonly name?: string
  readonly arguments: string
  /** Google’s mark of the reasoning behind a call; it is sent back with the call. */
  readonly thoughtSignature?: string
}

/** Reads the chunks of one reply in order: the first of several choices, in deltas, whole messages or plain text. */
export function createChunkReader() {
  /** The choice that is read. */
  let chosen: unknown
  let hasDeltas = false

  function choiceIn(chunk: Shape): Shape | null {
    const said = chunk['choices']
    const choices = isRecord(said) ? [said] : said
    if (!Array.isArray(choices)) return isOllama(chunk) ? ollamaChoice(chunk) : null
    for (const choice of choices) {
      if (!isRecord(choice)) continue
      const index = choice['index'] ?? 0
      chosen ??= index
      if (index === chosen) return choice
    }
    return null
  }

  return (chunk: Shape): ChunkWords | null => {
    const choice = choiceIn(chunk)
    if (choice === null) return null
    const { message, finish_reason: reason } = choice
    const delta = typeof choice['delta'] === 'string' ? { content: choice['delta'] } : choice['delta']
    // A server that streams deltas may repeat the whole text in its last chunk.
    const said = isRecord(delta) && Object.keys(delta).length > 0 ? delta : hasDeltas ? {} : (message ?? choice)
    hasDeltas ||= said === delta
    const finish = typeof reason === 'string' && reason !== '' ? reason : null
    return isRecord(said) ? wordsOf(said, finish) : { ...silent, finish }
  }
}

const silent = { reasoning: '', text: '', refusal: '', calls: [] } as const

/** Ollama’s own API, or a line of it: `{"message":{"content":"…"},"done":false}`, `{"response":"…","done":true}`. */
const isOllama = (chunk: Shape): boolean => typeof chunk['done'] === 'boolean' || isRecord(chunk['message'])

const ollamaChoice = ({ message, response, done, done_reason: reason }: Shape): Shape => ({
  message: message ?? { content: response },
  ...(done === true && { finish_reason: typeof reason === 'string' ? reason : 'stop' }),
})

function wordsOf(said: Shape, finish: string | null): ChunkWords {
  const { content, refusal, tool_calls: calls, function_call: call } = said
  const simple = typeof content === 'string'
  const parts = simple ? null : partsOf(content)
  const thoughts = thoughtsOf(said)
  return {
    reasoning: parts ? thoughts + parts.reasoning : thoughts,
    text: simple ? content : parts?.text || textOf(said['text']),
    refusal: typeof refusal === 'string' ? refusal : '',
    calls: calls == null && call == null ? silent.calls : callsOf(calls, call),
    finish,
  }
}

/** The same reasoning may be under two names. */
function thoughtsOf({ reasoning_content: content, reasoning, thinking, reasoning_details: details }: Shape): string {
  return textOf(content) || textOf(reasoning) || textOf(thinking) || (details == null ? '' : textOf(details))
}

/** A text, or a list of parts that each contain one. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (value == null) return ''
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value)) return value.map(textOf).join('')
  if (!isRecord(value)) return ''
  return textOf(value['text'] ?? value['content'] ?? value['summary'] ?? value['thinking'])
}

/** Content as a list: text, and reasoning (Mistral). */
function partsOf(content: unknown): { readonly reasoning: string; readonly text: string } {
  if (!Array.isArray(content)) return { reasoning: '', text: textOf(content) }
  const isThought = (part: unknown) =>
    isRecord(part) && typeof part['type'] === 'string' && /think|reason/.test(part['type'])
  return {
    reasoning: textOf(content.filter(isThought)),
    text: textOf(content.filter((part) => !isThought(part))),
  }
}

/** `function_call` is the older name of a single call. */
function callsOf(calls: unknown, single: unknown): readonly CallDelta[] {
  const list = Array.isArray(calls) ? calls : isRecord(calls) ? [calls] : []
  if (list.length > 0) return list.flatMap((call) => (isRecord(call) ? [callOf(call)] : []))
  return isRecord(single) ? [{ index: 0, ...callOf({ function: single }) }] : []
}

function callOf({ index, id, function: called, extra_content: extra, ...rest }: Shape): CallDelta {
  // Some servers put name and arguments beside the id.
  const { name, arguments: said = rest['parameters'] } = isRecord(called) ? called : rest
  const at = typeof index === 'string' ? Number(index) : index
  const google = isRecord(extra) ? extra['google'] : undefined
  const signature = isRecord(google) ? google['thought_signature'] : undefined
  return {
    ...(typeof at === 'number' && Number.isFinite(at) && { index: at }),
    ...(((typeof id === 'string' && id !== '') || typeof id === 'number') && { id: String(id) }),
    ...(typeof name === 'string' && name !== '' && { name }),
    ...(typeof signature === 'string' && { thoughtSignature: signature }),
    arguments: said == null ? '' : typeof said === 'string' ? said : JSON.stringify(said),
  }
}

/** An error instead of a chunk, or in one; null: there is none. */
export function errorIn(chunk: Shape): unknown {
  const { error, errors, detail, choices } = chunk
  if (isRecord(error) ? Object.keys(error).length > 0 : Boolean(error)) return error
  if (Array.isArray(errors) && errors.length > 0) return errors[0]
  if (choices != null) return null
  if (chunk['object'] === 'error' || chunk['type'] === 'error') return chunk
  if (detail != null) return typeof detail === 'string' ? detail : JSON.stringify(detail)
  const isRefusal = typeof chunk['message'] === 'string' && ('code' in chunk || 'status' in chunk)
  return isRefusal ? chunk : null
}
