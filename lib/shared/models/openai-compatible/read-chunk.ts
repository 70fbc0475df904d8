import { isRecord } from '@/lib/base/json'

type Shape = Readonly<Record<string, unknown>>

/** The content of a chunk of a reply; everything else in it is ignored. */
export interface ChunkContent {
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
    const given = chunk['choices']
    const choices = isRecord(given) ? [given] : given
    if (!Array.isArray(choices)) return isOllama(chunk) ? ollamaChoice(chunk) : null
    for (const choice of choices) {
      if (!isRecord(choice)) continue
      const index = choice['index'] ?? 0
      chosen ??= index
      if (index === chosen) return choice
    }
    return null
  }

  return (chunk: Shape): ChunkContent | null => {
    const choice = choiceIn(chunk)
    if (choice === null) return null
    const { message } = choice
    const delta = typeof choice['delta'] === 'string' ? { content: choice['delta'] } : choice['delta']
    // A server that streams deltas may repeat the whole text in its last chunk.
    const fields = isRecord(delta) && Object.keys(delta).length > 0 ? delta : hasDeltas ? {} : (message ?? choice)
    hasDeltas ||= fields === delta
    const finish = finishIn(choice) ?? (isRecord(delta) ? finishIn(delta) : null) ?? finishIn(chunk)
    return isRecord(fields) ? wordsOf(fields, finish) : { ...silent, finish }
  }
}

/** Names of the finish reason; `stop_reason` may be a token beside it (vLLM), so it comes last. */
const finishKeys = ['finish_reason', 'finishReason', 'stop_reason'] as const

function finishIn(place: Shape): string | null {
  for (const key of finishKeys) {
    const value = place[key]
    const reason = isRecord(value) ? (value['type'] ?? value['reason']) : value
    if (typeof reason === 'string' && !/^\s*(?:null|none)?\s*$/i.test(reason)) return reason
  }
  return null
}

/** The chunk in the envelope of a gateway: `{"code":0,"data":{"choices":…}}`, `{"output":{"choices":…}}`. */
export function unwrapped(chunk: Shape): Shape {
  if (chunk['choices'] != null) return chunk
  for (const key of ['data', 'output', 'result', 'response'] as const) {
    const inner = chunk[key]
    if (isRecord(inner) && inner['choices'] != null) return { ...chunk, ...inner }
  }
  return chunk
}

const silent = { reasoning: '', text: '', refusal: '', calls: [] } as const

/** Ollama’s own API, or a line of it: `{"message":{"content":"…"},"done":false}`, `{"response":"…","done":true}`. */
const isOllama = (chunk: Shape): boolean =>
  typeof chunk['done'] === 'boolean' || (isRecord(chunk['message']) && chunk['type'] === undefined)

const ollamaChoice = ({ message, response, done, done_reason: reason }: Shape): Shape => ({
  message: message ?? { content: response },
  ...(done === true && { finish_reason: typeof reason === 'string' ? reason : 'stop' }),
})

function wordsOf(shape: Shape, finish: string | null): ChunkContent {
  const { content, refusal, tool_calls: calls, function_call: call, audio } = shape
  const simple = typeof content === 'string'
  const parts = simple ? null : partsOf(content)
  const thoughts = thoughtsOf(shape)
  return {
    reasoning: parts ? thoughts + parts.reasoning : thoughts,
    text: simple ? content : parts?.text || textOf(shape['text']) || textOf(isRecord(audio) ? audio['transcript'] : ''),
    refusal: typeof refusal === 'string' ? refusal : '',
    calls: calls == null && call == null ? (parts?.calls ?? silent.calls) : callsOf(calls, call),
    finish,
  }
}

/** Names of the reasoning: the same text may be under several. */
const thoughtKeys = [
  'reasoning_content',
  'reasoning',
  'thinking',
  'reasoning_details',
  'thinking_blocks',
  'reasoning_text',
  'thinking_content',
  'thought',
] as const

function thoughtsOf(shape: Shape): string {
  for (const key of thoughtKeys) {
    const value = shape[key]
    const thought = value == null ? '' : textOf(value)
    if (thought !== '') return thought
  }
  return ''
}

/** Parts nest a few levels deep; a server may send any number. */
const MAX_NESTING = 16

/** A text, or a list of parts that each contain one. */
function textOf(value: unknown, depth = 0): string {
  if (depth > MAX_NESTING) return ''
  if (typeof value === 'string') return value
  if (value == null) return ''
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value)) return value.map((item) => textOf(item, depth + 1)).join('')
  if (!isRecord(value)) return ''
  return textOf(value['text'] ?? value['content'] ?? value['summary'] ?? value['thinking'] ?? value['value'], depth + 1)
}

const isKind = (part: unknown, kind: RegExp): part is Shape =>
  isRecord(part) && typeof part['type'] === 'string' && kind.test(part['type'])

/** Content as a list: text, reasoning (Mistral) and calls (Anthropic). */
function partsOf(content: unknown): Pick<ChunkContent, 'reasoning' | 'text' | 'calls'> {
  if (!Array.isArray(content)) return { reasoning: '', text: textOf(content), calls: silent.calls }
  const isThought = (part: unknown) => isKind(part, /think|reason/)
  const isCall = (part: unknown) => isKind(part, /^(?:tool_use|tool_call|function_call)$/)
  return {
    reasoning: textOf(content.filter(isThought)),
    text: textOf(content.filter((part) => !isThought(part) && !isCall(part))),
    calls: callsOf(content.filter(isCall), null),
  }
}

/** `function_call` is the older name of a single call. */
function callsOf(calls: unknown, single: unknown): readonly CallDelta[] {
  const list = Array.isArray(calls) ? calls : isRecord(calls) ? callsIn(calls) : []
  if (list.length > 0) return list.flatMap((call) => (isRecord(call) ? [callOf(call)] : []))
  return isRecord(single) ? [{ index: 0, ...callOf({ function: single }) }] : []
}

/** A call without a list, or calls by their numbers. */
function callsIn(calls: Shape): readonly unknown[] {
  const numbers = Object.keys(calls)
  return numbers.length > 0 && numbers.every((key) => /^\d{1,3}$/.test(key)) ? Object.values(calls) : [calls]
}

function callOf({ index, id, function: called, extra_content: extra, ...rest }: Shape): CallDelta {
  // Some servers put name and arguments beside the id.
  const place = isRecord(called) ? called : rest
  const { name = called, arguments: args = place['parameters'] ?? place['input'] } = place
  const at = typeof index === 'string' ? Number(index) : index
  const google = isRecord(extra) ? extra['google'] : undefined
  const signature = isRecord(google) ? google['thought_signature'] : undefined
  return {
    ...(typeof at === 'number' && Number.isFinite(at) && { index: at }),
    ...(((typeof id === 'string' && id !== '') || typeof id === 'number') && { id: String(id) }),
    ...(typeof name === 'string' && name !== '' && { name }),
    ...(typeof signature === 'string' && { thoughtSignature: signature }),
    arguments: args == null ? '' : typeof args === 'string' ? args : JSON.stringify(args),
  }
}

const isError = (error: unknown): boolean => (isRecord(error) ? Object.keys(error).length > 0 : Boolean(error))

/** An error instead of a chunk, or in one; null: there is none. */
export function errorIn(chunk: Shape): unknown {
  const { error, errors, detail, choices, base_resp: answer } = chunk
  if (isError(error)) return error
  if (Array.isArray(errors) && errors.length > 0) return errors[0]
  const within = Array.isArray(choices) ? errorInChoice(choices[0]) : null
  if (within !== null) return within
  // MiniMax.
  if (isRecord(answer) && Boolean(answer['status_code'])) return { message: answer['status_msg'] ?? answer }
  if (choices != null) return null
  if (chunk['object'] === 'error' || chunk['type'] === 'error' || chunk['success'] === false) return chunk
  if (detail != null) return typeof detail === 'string' ? detail : JSON.stringify(detail)
  const { code, status } = chunk
  const isRefusal = typeof chunk['message'] === 'string' && !isFine(code) && !isFine(status) && (code ?? status) != null
  return isRefusal ? chunk : null
}

/** What gateways write as `code` or `status` beside replies that are fine. */
const isFine = (value: unknown): boolean =>
  value === true || /^(?:0|20\d|ok|success|running|completed)$/i.test(String(value))

function errorInChoice(choice: unknown): unknown {
  if (!isRecord(choice)) return null
  const { error, delta } = choice
  if (isError(error)) return error
  return isRecord(delta) && isError(delta['error']) ? delta['error'] : null
}
