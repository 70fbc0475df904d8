import type { MonotonicClock } from '@/lib/base/clocks'
import { type ExactForm, type ExactAsk, exactOfferOf, type ExactOffer } from './exact-forms'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import { isRecord } from '@/lib/base/json'
import type { ModelFailure, ModelId } from '../model'
import { readFailure } from '../read-failure'

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

/** The word, or what is in its place. */
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

/** What was found out about the models of this process' servers. Nothing of it is stored: servers are updated and restarted. */
export interface ExactKnowledge {
  /** What was found last, by form. */
  of(model: string): ReadonlyMap<ExactForm, ExactFinding>
  /**
   * The first of `forms` that binds, or what was found of the last one; asks where that is not known. At most one question is
   * open at any time; anyone who wants the same meanwhile waits for it. Null: nothing can be told now. Never rejects.
   */
  find(
    model: { readonly id: string; readonly stamp: string },
    forms: readonly ExactForm[],
    ask: (form: ExactForm) => Promise<ExactFinding | null>,
  ): Promise<{ readonly form: ExactForm; readonly finding: ExactFinding } | null>
  /** A reply told it. */
  note(model: { readonly id: string; readonly stamp: string }, form: ExactForm, finding: ExactFinding): void
}

/** A server that binds continues doing so; one that does not may be another one soon. */
const BINDS_MS = 6 * 3_600_000
const ELSE_MS = 20 * 60_000
/** Names come from the servers' lists. */
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
          // A server that is away will not say more to the next form.
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

/** By the kind that is in a model's id, `browser/<kind>:<name>`. The list of a person's server is not asked who it is. */
const offers: Readonly<Record<string, ExactOffer | null>> = {
  // Someone may pay, and no one knows what it is: the chat has to want it.
  'openai-compatible': exactOfferOf(null, { charges: true }),
  ollama: exactOfferOf('ollama', { charges: false }),
  'lm-studio': exactOfferOf('lm-studio', { charges: false }),
  chrome: { forms: ['response-constraint'], byDefault: false, stamp: '' },
  // The engine comes with the app, in one version: that it binds is tested, and not asked of it.
  wllama: { forms: ['grammar'], byDefault: true, stamp: '', bindsSurely: true },
}

/** What may be tried on a model of a browser. `stamp`: another one when another model is behind the id. Null: nothing. */
export function browserExactOf(model: ModelId, stamp = ''): ExactOffer | null {
  const kind = /^browser\/([^:]+):/.exec(model)?.[1] ?? ''
  const offer = Object.hasOwn(offers, kind) ? offers[kind] : null
  return offer ? { ...offer, stamp } : null
}
