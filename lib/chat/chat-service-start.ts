import { AppError } from '@/lib/base/app-error'
import { chatError } from '@/lib/words/chat'
import { imagesToSend } from '@/lib/conversation/attached'
import type { AssistantMessage } from '@/lib/conversation/conversation'
import { describeFailure, describeTooLong } from '@/lib/models/failure'
import type { ModelFailure } from '@/lib/models/model'
import type { AppendAnswer } from '@/lib/store/store'
import type { ToolSpec } from '@/lib/strategies/tool-context-def'
import { observeRun } from './chat-observer'
import type { ChatServicePorts } from './chat-service-ports'
import { runModel, RunAborted, type ReplyEnd } from './chat-service-run'
import { waitFor } from './clock'
import type { FittedPrompt } from './fit-prompt'
import { buildModelInput, keptOf, type ModelInput } from './model-messages'
import { createOwnerSlots } from './owner-slots'
import type { ReplyReadings } from './reply-readings'

/** A place among the replies that may be written at the same time. */
export interface Admission {
  leave(): void
}

export interface RunStarter {
  /** Refuses with AppError, or gives what takes the place back when no run comes of it. */
  admit(owner: string): Admission
  /** Returns at once; the reply goes on whoever listens. `prompt`: of the branch as it was when the append was planned. */
  start(owner: string, prompt: FittedPrompt, answer: AppendAnswer, admission: Admission): void
  readonly isDraining: () => boolean
  readonly load: () => { readonly replies: number; readonly maxReplies: number }
  readonly settled: (runId: string) => Promise<void>
  drain(graceMs: number): Promise<void>
}

interface Question {
  readonly input: ModelInput
  readonly tools: readonly ToolSpec[]
  /** Why it is not asked. */
  readonly failure?: ModelFailure
}

const refusalOf = ({ code, message }: AppError): ModelFailure => ({
  code: code === 'unknown-model' ? 'not-found' : 'unknown',
  message,
  detail: '',
})

/** Starts models in the background and knows which of them this process runs. */
export function createRunStarter(ports: ChatServicePorts, readings: ReplyReadings): RunStarter {
  const { store, runLog, clock, limits } = ports
  const active = new Map<string, { readonly abort: AbortController; readonly done: Promise<void> }>()
  let draining = false
  /** Runs that were let in, from before their append is stored. */
  let admitted = 0
  const ofOwner = createOwnerSlots(limits.maxRunsPerOwner)

  /** All that the model is asked: the settings and the branch that the append was planned on, and what it added. */
  async function prepare(owner: string, prompt: FittedPrompt, { reply }: AppendAnswer): Promise<Question> {
    const { path, cut, beyond } = prompt
    const { conversation, amendments, tools: registered } = prompt.stored
    const tools = ports.discoverTools(conversation.settings.tools, registered)
    const seesImages = await ports.models.seesImages(reply.model)
    const images = seesImages ? await store.loadImages(owner, conversation.id, imagesToSend(keptOf(path, cut))) : []
    const { builder, boundary } = ports
    const branch = { conversation, path, tools, amendments, seesImages, images, ...(cut && { cut }) }
    const failure = beyond && describeTooLong(beyond, ports.models.info(reply.model))
    const input = buildModelInput({ ...branch, builder, readings, boundary })
    return { tools, input, ...(failure && { failure }) }
  }

  async function write(
    owner: string,
    reply: AssistantMessage,
    question: Promise<Question>,
    abort: AbortController,
  ): Promise<void> {
    const writer = runLog.write({ owner, runId: reply.runId }, (how) => abort.abort(new RunAborted(how)), reply)
    const info = ports.models.info(reply.model)
    const observed = observeRun(ports.observer, clock, reply.model)
    const describe = (error: unknown, wrote: boolean) =>
      error instanceof AppError ? refusalOf(error) : describeFailure(error, info, wrote, ports.redact)
    let text = ''
    let ended: Pick<ReplyEnd, 'outcome' | 'usage'> = { outcome: 'failed', usage: null }
    try {
      const { tools, input, failure } = await question
      if (failure) {
        await writer.end({ outcome: 'failed', failure, usage: null, runnableCalls: 0 })
        return
      }
      const end = await runModel({
        input,
        native: ports.builder.get(reply.strategy).callsBy === 'provider',
        model: () => ports.models.languageModel(reply.model),
        write(channel, piece) {
          writer.write(channel, piece)
          if (piece !== '') observed.wrote()
          if (channel === 'text') text += piece
        },
        abort,
        clock,
        stallMs: limits.stallMs,
        describeFailure: describe,
        modelLabel: info.label,
      })
      ended = end
      const calls = readings.callsOf({ ...reply, text, outcome: end.outcome }, tools)
      await writer.end({ ...end, runnableCalls: calls.filter(({ runnable }) => runnable).length })
    } catch (error) {
      ports.log('a reply could not be written', error)
      await writer.end({ outcome: 'failed', failure: describe(error, true), usage: null, runnableCalls: 0 })
    } finally {
      observed.ended(ended.outcome, ended.usage)
    }
  }

  return {
    admit(owner) {
      if (draining) throw chatError('unavailable', 'chat.restarting')
      if (admitted >= limits.maxRuns) throw chatError('unavailable', 'chat.server-full')
      const free = ofOwner.take(owner)
      if (!free) {
        throw chatError('rate-limited', 'chat.too-many-replies', { count: limits.maxRunsPerOwner })
      }
      admitted += 1
      ports.observer.admitted()
      let left = false
      return {
        leave() {
          if (left) return
          left = true
          admitted -= 1
          free()
        },
      }
    },

    isDraining: () => draining,
    load: () => ({ replies: admitted, maxReplies: limits.maxRuns }),

    start(owner, prompt, answer, admission) {
      const { reply } = answer
      const abort = new AbortController()
      // What was loaded is let go as soon as the question stands: a reply may take minutes.
      const done = write(owner, reply, prepare(owner, prompt, answer), abort).finally(() => {
        active.delete(reply.runId)
        admission.leave()
      })
      active.set(reply.runId, { abort, done })
    },

    settled: (runId) => active.get(runId)?.done ?? Promise.resolve(),

    async drain(graceMs) {
      draining = true
      runLog.leave()
      const all = Promise.all([...active.values()].map(({ done }) => done))
      const finished = new AbortController()
      void all.then(() => finished.abort())
      await waitFor(clock, graceMs, finished.signal)
      for (const { abort } of active.values()) abort.abort(new RunAborted('interrupted'))
      await all
    },
  }
}
