import type { MonotonicClock } from '@/lib/base/clocks'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { JsonObject } from '@/lib/base/json'
import type { BrowserModel } from '@/lib/client/browser-models/browser-model'
import { requestReply } from '@/lib/client/chats/tab-writer/request-reply'
import type { TabPrompt } from '@/lib/shared/conversation/wire/tab-run'
import type { TrialLine, TrialRequest } from '@/lib/shared/conversation/wire/trial'
import type { AssistantMessage, ExactOfReply } from '@/lib/shared/conversation/conversation'
import {
  requestConstrained,
  type RequestedConstraint,
  type ConstrainedDecoding,
} from '@/lib/shared/models/exact/constrained-decoding'
import type { ReplyConstraint } from '@/lib/shared/models/exact/exact-forms'
import type { Segment } from '@/lib/protocols/types/segment'
import { formOf, type StrategyId, type ReplyForm } from '@/lib/protocols/types/tool-context-def'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { withBase } from '@/lib/base/base-path'
import { refusalIn } from '@/lib/client/api/api-client'
import { readLines } from '@/lib/client/api/ndjson'
import { t } from '@/lib/i18n/t'

/** Writes the replies of trials: a model of the server, or one of this browser. */
export interface TrialModel {
  /**
   * The lines of one reply as they come. Throws `TrialRefused` if the request was refused; aborts with the signal's
   * reason.
   */
  ask(request: TrialRequest, signal: AbortSignal): AsyncIterable<TrialLine>
}

/** Why a reply failed: no verdict on the model. */
export class TrialRefused extends Error {
  /** When to try again; null: unknown. */
  readonly retryAfterSeconds: number | null
  /** A retry would change nothing (a wrong key, a missing model, a lab that is switched off). */
  readonly isFinal: boolean

  constructor(message: string, { retryAfterSeconds = null as number | null, isFinal = false } = {}) {
    super(message)
    this.name = 'TrialRefused'
    this.retryAfterSeconds = retryAfterSeconds
    this.isFinal = isFinal
  }
}

/** What is compared: a strategy, with constrained replies or not. */
export interface Arm {
  readonly strategy: StrategyId
  /** Left out: not constrained. */
  readonly exact?: true
}

/** All arms of a plan: each strategy unconstrained, followed by the constrained ones. */
export const armsOf = ({
  strategies,
  exact = [],
}: {
  readonly strategies: readonly StrategyId[]
  readonly exact?: readonly StrategyId[]
}): readonly Arm[] => [
  ...strategies.map((strategy) => ({ strategy })),
  ...exact.map((strategy) => ({ strategy, exact: true as const })),
]

/** A unique key of an arm. */
export const armKey = ({ strategy, exact }: Arm): string => (exact ? `${strategy} exact` : strategy)

export const isSameArm = (one: Arm, other: Arm): boolean => armKey(one) === armKey(other)

/**
 * How replies of an arm are written and read. `takesSchema`: constrained replies use a schema, which covers the whole
 * reply.
 */
export const formOfArm = ({ strategy, exact }: Arm, { takesSchema }: { readonly takesSchema?: true }): ReplyForm =>
  exact && takesSchema ? 'whole' : strategy

export interface BrowserTrialPorts {
  /** The model as it writes replies of chats; rejects if it can't be opened. */
  readonly open: (id: string) => Promise<BrowserModel>
  /** What a chat would send. */
  readonly promptOf: (request: TrialRequest) => Promise<Pick<TabPrompt, 'prompt' | 'nativeTools'>>
  readonly monotonic: MonotonicClock
  /** Constrains replies to their format; left out: none are. */
  readonly exact?: {
    readonly decoding: ConstrainedDecoding
    /** The constraint for the reply; null: there is none. */
    readonly askOf: (request: TrialRequest) => Promise<ReplyConstraint | null>
    /** How far the reply follows the constraint. */
    readonly heldOf: (
      asked: RequestedConstraint,
      reply: Pick<AssistantMessage, 'strategy' | 'outcome' | 'text'>,
      segments: () => readonly Segment[],
    ) => Promise<ExactOfReply>
  }
  /** Why a model could not be opened, in a sentence. */
  readonly describe: (error: unknown) => string
}

/** Models of this browser, run in this tab: nothing is sent to the server. */
export const createBrowserTrials = (ports: BrowserTrialPorts): TrialModel => ({
  async *ask(request, signal) {
    const model = await ports.open(request.model).catch((error: unknown) => {
      throw new TrialRefused(ports.describe(error), { isFinal: true })
    })
    const prompt = await ports.promptOf(request)
    const atTemperature = (fields?: JsonObject) => withTemperature(model.languageModel(fields), request.temperature)
    const asked = { ...model, languageModel: atTemperature }
    const ask = request.exact && ports.exact ? await ports.exact.askOf(request) : null
    const from = ports.monotonic()
    let waiting: TrialLine[] = []
    let firstTextMs: number | null = null
    let written = ''
    let wake = () => {}
    const write = (type: 'text' | 'reasoning', text: string) => {
      const ms = ports.monotonic() - from
      firstTextMs ??= ms
      if (type === 'text') written += text
      waiting.push({ type, text, ms })
      wake()
    }
    let isOver = false
    const send = (fields?: JsonObject) => requestReply(asked, prompt, { runId: '', write, signal }, fields)
    const how = { ask: () => ask, wanted: true, signal, write: send, wrote: () => written !== '' }
    const sent =
      ask && ports.exact
        ? requestConstrained(ports.exact.decoding, request.model, how)
        : send().then((end) => ({ end, asked: null }))
    const ending = sent.finally(() => {
      isOver = true
      wake()
    })
    for (;;) {
      const lines = waiting
      waiting = []
      yield* lines
      if (waiting.length > 0) continue
      if (isOver) break
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    const { end, asked: held } = await ending
    signal.throwIfAborted()
    const { strategy, tools } = request
    const segments = () => toolContextBuilder.parseResponse(formOf(request), written, tools).segments
    const reply = { strategy, text: written, outcome: end.outcome }
    const exact = held && (await ports.exact?.heldOf(held, reply, segments))
    yield { type: 'end', ...end, ...(exact && { exact }), firstTextMs, ms: ports.monotonic() - from }
  },
})

/** The same model at a temperature; left out: its server's default. */
function withTemperature(model: LanguageModelV4, temperature: number | undefined): LanguageModelV4 {
  if (temperature === undefined) return model
  return {
    specificationVersion: 'v4',
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doGenerate: (options) => model.doGenerate({ ...options, temperature }),
    doStream: (options) => model.doStream({ ...options, temperature }),
  }
}

/** Chooses where each model is run: those of the browser begin with `browser/`. */
export const trialsOf = (server: TrialModel, browser: TrialModel): TrialModel => ({
  ask: (request, signal) => (request.model.startsWith('browser/') ? browser : server).ask(request, signal),
})

/** Models of the server, asked for one reply at a time. */
export const createServerTrials = (fetchFrom: typeof fetch): TrialModel => ({
  async *ask(request, signal) {
    const response = await fetchFrom(withBase('/api/lab/trials'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
      signal,
    }).catch((error: unknown) => {
      if (signal.aborted) throw error
      throw new TrialRefused(t('lab.trouble.unreachable'))
    })
    if (!response.ok || !response.body) throw await refused(response)
    let hasEnded = false
    for await (const text of readLines(response.body)) {
      if (text === '') continue
      const line = JSON.parse(text) as TrialLine
      hasEnded = line.type === 'end'
      yield line
    }
    if (!hasEnded) throw new TrialRefused(t('lab.trouble.broke-off'))
  },
})

/** A response with a time to wait is retried; a wrong or forbidden request is final. */
async function refused(response: Response): Promise<TrialRefused> {
  const answer = await refusalIn(response)
  if (answer.ok) return new TrialRefused(t('lab.trouble.broke-off'))
  const { code, message, retryAfterMs } = answer.error
  const isForLong = code === 'over-budget'
  const isFinal = isForLong || ['bad-request', 'forbidden', 'unknown-model', 'not-found', 'signed-out'].includes(code)
  const retryAfterSeconds = retryAfterMs === undefined || isForLong ? null : Math.ceil(retryAfterMs / 1_000)
  return new TrialRefused(message, { retryAfterSeconds, isFinal })
}
