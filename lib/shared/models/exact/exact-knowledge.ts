import type { MonotonicClock } from '@/lib/base/clocks'
import { type ExactForm, type ReplyConstraint, exactOfferOf, type ExactOffer } from './exact-forms'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import { isRecord } from '@/lib/base/json'
import type { ModelFailure, ModelId } from '../model'
import { readFailure } from '../read-failure'

/**
 * The result of a request with a grammar: enforced from the first token to the last; up to some point; not at all;
 * refused.
 */
export type ExactFinding = 'honoured' | 'half' | 'ignored' | 'refused'

/** Text that no model answers to a greeting by itself. */
const WORD = 'violet-47-nod'

/** Only this word is allowed. */
export const probeConstraint: ReplyConstraint = {
  gbnf: `root ::= "${WORD}"`,
  jsonSchema: {
    type: 'object',
    properties: { word: { type: 'string', enum: [WORD] } },
    required: ['word'],
    additionalProperties: false,
  },
}

/** Enough for the word, as text or as JSON; a model that ignores the grammar is cut here. */
const MAX_TOKENS = 64

/**
 * Sends a message to which the grammar of `probeConstraint` allows no fitting answer, and checks whether the grammar
 * was enforced. `model` sends it with each request. Null if that is inconclusive: the server is away or busy, or the
 * model only reasoned. Never rejects.
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
  const answer = wordIn(text.trim())
  if (answer === '') return null
  if (answer === WORD) return 'honoured'
  return answer.startsWith(WORD) ? 'half' : 'ignored'
}

/** The word, or the text in its place. */
function wordIn(text: string): string {
  if (!text.startsWith('{')) return text
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) && Object.keys(value).length === 1 && typeof value['word'] === 'string'
      ? value['word']
      : text
  } catch {
    // Its beginning is right, and more text followed.
    return /^\{\s*"word"\s*:\s*"([^"]*)"\s*\}/.exec(text)?.[1] === WORD ? `${WORD} …` : text
  }
}

/** Failures that say nothing about the grammar. */
const elsewhere: ReadonlySet<ModelFailure['code']> = new Set([
  'unreachable',
  'unauthorised',
  'rate-limited',
  'not-found',
  'too-long',
  'stalled',
])

/** Whether a request may have failed because of its grammar: a retry without it makes sense. */
export const mayBeForGrammar = (code: ModelFailure['code']): boolean => !elsewhere.has(code)

function turnedDown(error: unknown, signal: AbortSignal): ExactFinding | null {
  const { code, status } = readFailure(error)
  // A 403 is about permissions.
  return !signal.aborted && status !== 403 && mayBeForGrammar(code) ? 'refused' : null
}

/**
 * What was found about the models of this process' servers. It is not stored, because servers are updated and
 * restarted.
 */
export interface ExactKnowledge {
  /** The last findings, by form. */
  of(model: string): ReadonlyMap<ExactForm, ExactFinding>
  /**
   * Returns the first of `forms` that is enforced, or the finding about the last one; tests it if unknown. At most one
   * test runs at any time; callers that want the same wait for it. Null: unknown for now. Never rejects.
   */
  find(
    model: { readonly id: string; readonly stamp: string },
    forms: readonly ExactForm[],
    ask: (form: ExactForm) => Promise<ExactFinding | null>,
  ): Promise<{ readonly form: ExactForm; readonly finding: ExactFinding } | null>
  /** Records what a reply showed. */
  note(model: { readonly id: string; readonly stamp: string }, form: ExactForm, finding: ExactFinding): void
}

/** A server that enforces continues to do so; one that does not may be replaced soon. */
const BINDS_MS = 6 * 3_600_000
const ELSE_MS = 20 * 60_000
/** The limit, because names come from the servers' lists. */
const MAX_MODELS = 1_000

interface Kept {
  readonly stamp: string
  readonly findings: Map<ExactForm, { readonly finding: ExactFinding; readonly until: number }>
}

export function createExactKnowledge({ monotonic }: { readonly monotonic: MonotonicClock }): ExactKnowledge {
  const kept = new Map<string, Kept>()
  const open = new Map<string, ReturnType<ExactKnowledge['find']>>()
  let queue: Promise<unknown> = Promise.resolve()

  const findingsOf = (id: string): ReadonlyMap<ExactForm, ExactFinding> => {
    const fresh = [...(kept.get(id)?.findings ?? [])].filter(([, { until }]) => until > monotonic())
    return new Map(fresh.map(([form, { finding }]) => [form, finding]))
  }

  function note(
    { id, stamp }: { readonly id: string; readonly stamp: string },
    form: ExactForm,
    finding: ExactFinding,
  ) {
    const before = kept.get(id)
    const one: Kept = before?.stamp === stamp ? before : { stamp, findings: new Map() }
    one.findings.set(form, { finding, until: monotonic() + (finding === 'honoured' ? BINDS_MS : ELSE_MS) })
    kept.delete(id)
    kept.set(id, one)
    for (const oldest of kept.keys()) {
      if (kept.size <= MAX_MODELS) break
      kept.delete(oldest)
    }
  }

  function known(id: string, forms: readonly ExactForm[]) {
    const findings = findingsOf(id)
    const binding = forms.find((form) => findings.get(form) === 'honoured' || findings.get(form) === 'half')
    const last = forms.every((form) => findings.has(form)) ? forms.at(-1) : undefined
    const form = binding ?? last
    const finding = form && findings.get(form)
    return form && finding ? { form, finding } : null
  }

  return {
    of: findingsOf,
    note,

    find(model, forms, ask) {
      const { id, stamp } = model
      const before = kept.get(id)
      if (before && before.stamp !== stamp) kept.delete(id)
      const found = known(id, forms)
      if (found) return Promise.resolve(found)
      const key = JSON.stringify([id, stamp, forms])
      const asked = open.get(key)
      if (asked) return asked

      const asking = queue.then(async () => {
        for (const form of forms) {
          if (findingsOf(id).has(form)) continue
          const finding = await ask(form).catch(() => null)
          // An unreachable server will not answer the next form either.
          if (finding === null) return null
          note(model, form, finding)
          if (finding === 'honoured') break
        }
        return known(id, forms)
      })
      const done = asking.catch(() => null).finally(() => open.delete(key))
      queue = done
      open.set(key, done)
      return done
    },
  }
}

/** By the kind in a model's id, `browser/<kind>:<name>`. A user's server is not asked for its type. */
const offers: Readonly<Record<string, ExactOffer | null>> = {
  // It may cost money, and the server is unknown: the chat must ask for it.
  'openai-compatible': exactOfferOf(null, { charges: true }),
  ollama: exactOfferOf('ollama', { charges: false }),
  'lm-studio': exactOfferOf('lm-studio', { charges: false }),
  chrome: { forms: ['response-constraint'], byDefault: false, stamp: '' },
  // The engine comes with the app, in one version: our tests check that it enforces grammars.
  wllama: { forms: ['grammar'], byDefault: true, stamp: '', bindsSurely: true },
}

/**
 * The ways to constrain a browser model that may be tried. `stamp`: changes if another model is behind the id. Null:
 * none.
 */
export function browserExactOf(model: ModelId, stamp = ''): ExactOffer | null {
  const kind = /^browser\/([^:]+):/.exec(model)?.[1] ?? ''
  const offer = Object.hasOwn(offers, kind) ? offers[kind] : null
  return offer ? { ...offer, stamp } : null
}
