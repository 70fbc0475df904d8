import type { LanguageModelV4 } from '@ai-sdk/provider'
import { isRecord } from '@/lib/base/json'
import type { ModelFailure } from '../model'
import { readFailure } from '../read-failure'
import type { ExactAsk } from './exact-forms'

/** What became of a request with a grammar: bound from the first word to the last; to some point; not at all; turned down. */
export type ExactFinding = 'honoured' | 'half' | 'ignored' | 'refused'

/** Nothing that a model says to a greeting by itself. */
const WORD = 'violet-47-nod'

/** Only the word may be said. */
export const probeAsk: ExactAsk = {
  gbnf: `root ::= "${WORD}"`,
  jsonSchema: {
    type: 'object',
    properties: { word: { type: 'string', enum: [WORD] } },
    required: ['word'],
    additionalProperties: false,
  },
}

/** Enough for the word, in words or as JSON; a model that ignores the grammar is cut here. */
const MAX_TOKENS = 64

/**
 * Says something to which the grammar of `probeAsk` allows no fitting answer, and looks whether the grammar won. `model` sends it with
 * each request. Null where that tells nothing: the server is away or busy, or the model only thought. Never rejects.
 */
export async function probeExact(model: LanguageModelV4, signal: AbortSignal): Promise<ExactFinding | null> {
  let text = ''
  try {
    const { stream } = await model.doStream({
      prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
      maxOutputTokens: MAX_TOKENS,
      abortSignal: signal,
    })
    for await (const part of stream) {
      if (part.type === 'text-delta') text += part.delta
      else if (part.type === 'error') return turnedDown(part.error, signal)
    }
  } catch (error) {
    return turnedDown(error, signal)
  }
  return findingOf(text)
}

function findingOf(text: string): ExactFinding | null {
  const said = wordIn(text.trim())
  if (said === '') return null
  if (said === WORD) return 'honoured'
  return said.startsWith(WORD) ? 'half' : 'ignored'
}

/** The word, or what stands in its place. */
function wordIn(text: string): string {
  if (!text.startsWith('{')) return text
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) && Object.keys(value).length === 1 && typeof value['word'] === 'string'
      ? value['word']
      : text
  } catch {
    // Its beginning is right, and more came behind it.
    return /^\{\s*"word"\s*:\s*"([^"]*)"\s*\}/.exec(text)?.[1] === WORD ? `${WORD} …` : text
  }
}

/** Failures that say nothing of the grammar. */
const elsewhere: ReadonlySet<ModelFailure['code']> = new Set([
  'unreachable',
  'unauthorised',
  'rate-limited',
  'not-found',
  'too-long',
  'stalled',
])

/** Whether a request may have failed for its grammar: the same without it is worth asking. */
export const mayBeForGrammar = (code: ModelFailure['code']): boolean => !elsewhere.has(code)

function turnedDown(error: unknown, signal: AbortSignal): ExactFinding | null {
  const { code, status } = readFailure(error)
  // A 403 is about who asks, and for what.
  return !signal.aborted && status !== 403 && mayBeForGrammar(code) ? 'refused' : null
}
