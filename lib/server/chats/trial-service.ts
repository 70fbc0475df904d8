import { AppError } from '@/lib/base/app-error'
import type { JsonObject } from '@/lib/base/json'
import type { Usage } from '@/lib/shared/conversation/conversation'
import type { TrialLine, TrialRequest } from '@/lib/shared/conversation/wire/trial'
import { describeFailure, refusedFailure } from '@/lib/shared/models/failure'
import { formOf } from '@/lib/protocols/types/tool-context-def'
import { estimateTokens } from '@/lib/protocols/prompt/token-estimate'
import { makeError } from '@/lib/i18n/t'
import { observeRun } from '../runs/chat-observer'
import type { ChatServicePorts } from '../stored-chats/chat-service-ports'
import { RunAborted, runModel } from '../runs/chat-service-run'
import type { ReplyEnd } from '@/lib/shared/conversation/reply-end'
import type { RunStarter } from './chat-service-start'
import { claimOf } from './append-message'
import { ANSWER_TOKENS } from '@/lib/shared/prompt/prompt-budget'
import { requestConstrained } from '@/lib/shared/models/exact/constrained-decoding'
import { constraintOf, heldOf } from '@/lib/shared/prompt/exact-reply'
import { anonymousVisitor, type Visitor } from '../quota/rate'
import type { ModelInput } from '@/lib/shared/prompt/model-messages'
import { trialInput } from '@/lib/shared/prompt/trial-input'

export interface TrialService {
  /**
   * Writes one reply outside of any chat, which is not stored, under the limits of replies. Rejects with AppError if no
   * slot is free. `gone`: aborts when the reader disconnects.
   */
  trial(owner: string, request: TrialRequest, gone: AbortSignal, visitor?: Visitor): Promise<TrialLines>
}

const readingOf = ({ reading }: Pick<TrialRequest, 'reading'>) => (reading ? { reading } : {})

/** The heartbeat interval; the sweep of abandoned claims waits longer. */
const BEAT_MS = 20_000
/** When a refused caller should retry: chats have priority. */
const COME_AGAIN_SECONDS = 3

export function createTrialService(ports: ChatServicePorts, runs: Pick<RunStarter, 'admit' | 'adopt'>): TrialService {
  const { store, clock, limits, newId, models, builder } = ports

  async function write(
    owner: string,
    id: string,
    { model, strategy, temperature, tools, ...request }: TrialRequest,
    input: ModelInput,
    to: { readonly say: (line: TrialLine) => void; readonly abort: AbortController },
  ): Promise<void> {
    const from = clock.monotonic()
    const info = models.info(model)
    const observed = observeRun(ports.observer, clock, model)
    let written = ''
    let firstTextMs: number | null = null
    const stopBeating = startBeating(owner, id)
    const ask = (fields?: JsonObject): Promise<ReplyEnd> =>
      runModel({
        input,
        native: builder.get(strategy).callsBy === 'provider',
        ...(temperature !== undefined && { temperature }),
        model: () => models.languageModel(model, fields),
        write(channel, text) {
          const ms = clock.monotonic() - from
          firstTextMs ??= ms
          written += text
          observed.wrote()
          to.say({ type: channel, text, ms })
        },
        abort: to.abort,
        clock,
        stallMs: limits.stallMs,
        describeFailure: (error, wrote) =>
          error instanceof AppError
            ? refusedFailure('not-found', error)
            : describeFailure(error, info, wrote, ports.redact),
        modelLabel: info.label,
      })
    const how = { settings: { strategy, tools: { enabled: true } }, tools }
    const { end, asked } = await requestConstrained(ports.exact?.constrainedDecoding, model, {
      ask: () => constraintOf(ports.exact, how, readingOf(request)),
      wanted: request.exact ?? false,
      signal: to.abort.signal,
      write: ask,
      wrote: () => written !== '',
    })
    stopBeating()
    observed.ended(end.outcome, end.usage)
    await settle(owner, id, end, written)
    const reply = { strategy, text: written, outcome: end.outcome }
    const form = formOf({ strategy, ...readingOf(request) })
    const exact = asked && heldOf(asked, reply, () => builder.parseResponse(form, written, tools).segments)
    to.say({ type: 'end', ...end, ...(exact && { exact }), firstTextMs, ms: clock.monotonic() - from })
  }

  function startBeating(owner: string, id: string): () => void {
    const beat = () => {
      void store
        .beatTrial(owner, id, clock.now())
        .catch((error: unknown) => ports.log('a trial could not be kept', error))
      cancel = clock.after(BEAT_MS, beat)
    }
    let cancel = clock.after(BEAT_MS, beat)
    return () => cancel()
  }

  /** If the store fails now, its sweep settles the claim later, because the claim has no heartbeat. */
  const settle = (
    owner: string,
    id: string,
    end: { outcome: ReplyEnd['outcome']; usage: Usage | null },
    text: string,
  ) =>
    store
      .settleTrial(owner, id, end, text)
      .catch((error: unknown) => ports.log('what a trial used could not be written down', error))

  return {
    async trial(owner, request, gone, visitor = anonymousVisitor) {
      // Throws before anything is claimed.
      models.languageModel(request.model)
      const input = trialInput(request)
      const id = newId()
      const admission = runs.admit()
      try {
        if (admission.waits) {
          const options = { retryAfterSeconds: COME_AGAIN_SECONDS }
          throw makeError('unavailable', 'chat.lab.busy', { seconds: COME_AGAIN_SECONDS }, options)
        }
        const tokens = { in: estimateTokens(JSON.stringify(input)), out: ANSWER_TOKENS }
        const claim = { ...claimOf(owner, visitor, { limits, model: request.model, tokens }), maxBytes: null }
        await store.claimTrial(owner, { id, model: request.model }, claim, clock.now())
      } catch (error) {
        admission.leave()
        throw error
      }
      const abort = new AbortController()
      const stop = () => abort.abort(new RunAborted('stopped'))
      if (gone.aborted) stop()
      gone.addEventListener('abort', stop, { once: true })
      const lines = createTrialLines()
      const done = write(owner, id, request, input, { say: (line) => lines.say(line), abort })
        .catch((error: unknown) => ports.log('a trial could not be written', error))
        .finally(() => {
          gone.removeEventListener('abort', stop)
          admission.leave()
          lines.close()
        })
      runs.adopt(id, abort, done)
      return lines.read()
    },
  }
}

type TrialLines = AsyncGenerator<readonly TrialLine[], void, undefined>

/** A queue of lines between writer and reader; a slower reader gets several lines at once. */
function createTrialLines() {
  let waiting: TrialLine[] = []
  let isClosed = false
  let wake = () => {}
  const news = () => {
    wake()
  }
  const silence = () =>
    new Promise<void>((resolve) => {
      wake = resolve
    })

  async function* read(): TrialLines {
    for (;;) {
      if (waiting.length > 0) {
        const lines = waiting
        waiting = []
        yield lines
      } else if (isClosed) return
      else await silence()
    }
  }

  return {
    read,
    say(line: TrialLine): void {
      waiting.push(line)
      news()
    },
    close(): void {
      isClosed = true
      news()
    },
  }
}
