import { AppError } from '@/lib/base/app-error'
import type { JsonObject } from '@/lib/base/json'
import type { AssistantMessage } from '@/lib/conversation/conversation'
import { createPaceWatch } from '@/lib/conversation/reply-pace'
import { describeFailure, refusedFailure } from '@/lib/models/failure'
import type { ModelFailure } from '@/lib/models/model'
import { observeRun } from './chat-observer'
import type { ChatServicePorts } from './chat-service-ports'
import { runModel, RunAborted, type ReplyEnd } from './chat-service-run'
import { exactOf, writeExactly } from './exact-reply'
import type { Question } from './prepare-question'
import type { ReplyReadings } from './reply-readings'

const refusalOf = (error: AppError): ModelFailure =>
  refusedFailure(error.code === 'unknown-model' ? 'not-found' : 'unknown', error)

/** What writes one reply whose run is open: asks the model, and stores what came and how it ended. Rejects only where the log does. */
export function replyWriter(ports: ChatServicePorts, readings: ReplyReadings) {
  const { runLog, clock, limits } = ports
  return async function write(
    owner: string,
    reply: AssistantMessage,
    question: Promise<Question>,
    abort: AbortController,
    /** Called with each thing that the model's server sends, words or not. */
    onAlive: () => void,
  ): Promise<void> {
    const writer = runLog.write({ owner, runId: reply.runId }, (how) => abort.abort(new RunAborted(how)), reply)
    const info = ports.models.info(reply.model)
    const observed = observeRun(ports.observer, clock, reply.model)
    const describe = (error: unknown, wrote: boolean) =>
      error instanceof AppError ? refusalOf(error) : describeFailure(error, info, wrote, ports.redact)
    const pace = createPaceWatch(() => clock.monotonic())
    let hasWritten = false
    let ended: Pick<ReplyEnd, 'outcome' | 'usage'> = { outcome: 'failed', usage: null }
    try {
      const { tools, input, failure, before, settings } = await question
      if (failure) {
        await writer.end({ outcome: 'failed', failure, usage: null, runnableCalls: 0 })
        return
      }
      const ask = (fields?: JsonObject) => {
        pace.asked()
        return runModel({
          input,
          native: ports.builder.get(reply.strategy).callsBy === 'provider',
          model: () => ports.models.languageModel(reply.model, fields),
          write(channel, piece) {
            writer.write(channel, piece)
            if (piece === '') return
            observed.wrote()
            pace.wrote()
            hasWritten = true
          },
          onAlive,
          abort,
          clock,
          stallMs: limits.stallMs,
          describeFailure: describe,
          modelLabel: info.label,
        })
      }
      const how = { settings, tools, signal: abort.signal, write: ask, wrote: () => hasWritten }
      const { end, asked } = await writeExactly(ports.exact, reply, how)
      ended = end
      const written = { ...reply, text: writer.said.text, outcome: end.outcome }
      const held = exactOf(ports.exact, asked, written, { readings, tools, before })
      const calls = readings.callsOf(written, tools)
      const runnableCalls = calls.filter(({ runnable }) => runnable).length
      await writer.end({ ...end, ...(held && { exact: held }), ...pace.end(), runnableCalls })
    } catch (error) {
      // It was stopped before the model was asked.
      if (error instanceof RunAborted) {
        ended = { outcome: error.outcome, usage: null }
        await writer.end({ ...ended, failure: null, runnableCalls: 0 })
        return
      }
      ports.log('a reply could not be written', error)
      await writer.end({ outcome: 'failed', failure: describe(error, true), usage: null, runnableCalls: 0 })
    } finally {
      observed.ended(ended.outcome, ended.usage)
    }
  }
}
