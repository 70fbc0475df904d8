import { AppError } from '@/lib/base/app-error'
import type { ModelFailure } from '@/lib/models/model'
import type { ChatServicePorts } from './chat-service'
import { runModel, RunAborted } from './chat-service-run'
import { imagesToSend } from '@/lib/conversation/attached'
import { waitFor } from './clock'
import type { AssistantMessage } from '@/lib/conversation/conversation'
import { createOwnerSlots } from './owner-slots'
import { pathTo } from '@/lib/conversation/message-path'

/** A place among the replies that may be written at the same time. */
export interface Admission {
  leave(): void
}

/** Starts models in the background and knows which of them this process runs. */
export function createRunStarter(ports: ChatServicePorts) {
  const { store, runLog, clock } = ports
  const active = new Map<string, { readonly abort: AbortController; readonly done: Promise<void> }>()
  let draining = false
  /** Runs that were let in, from before their append is stored. */
  let admitted = 0
  const ofOwner = createOwnerSlots(ports.maxRunsPerOwner)

  /** All that the model is asked; throws AppError when the chat went away meanwhile. */
  async function prepare(owner: string, conversationId: string, reply: AssistantMessage) {
    const stored = await store.loadConversation(owner, conversationId)
    if (!stored || reply.parentId === null) throw new AppError('not-found', 'This chat was deleted.')
    const { messages, amendments } = stored
    // The settings may have changed since the reply was asked for: it is read as what its own row says.
    const { settings: now } = stored.conversation
    const settings = {
      ...now,
      model: reply.model,
      strategy: reply.strategy,
      tools: { ...now.tools, enabled: reply.toolsEnabled },
    }
    const tools = ports.discoverTools(settings.tools, stored.tools)
    const path = pathTo(messages, reply.parentId)
    const { builder, boundary } = ports
    const seesImages = await ports.models.seesImages(reply.model)
    const images = seesImages ? await store.loadImages(owner, conversationId, imagesToSend(path)) : []
    const conversation = { settings }
    return {
      tools,
      input: ports.buildModelInput({ conversation, path, builder, tools, amendments, boundary, seesImages, images }),
    }
  }

  async function write(owner: string, conversationId: string, reply: AssistantMessage, abort: AbortController) {
    const writer = runLog.write(reply.runId, (outcome) => abort.abort(new RunAborted(outcome)))
    const info = ports.models.info(reply.model)
    const describe = (error: unknown, wrote: boolean): ModelFailure =>
      error instanceof AppError
        ? { code: error.code === 'unknown-model' ? 'not-found' : 'unknown', message: error.message, detail: '' }
        : ports.describeFailure(error, info, wrote)
    try {
      const { tools, input } = await prepare(owner, conversationId, reply)
      const end = await runModel({
        input,
        native: reply.strategy === 'Native',
        model: () => ports.models.languageModel(reply.model),
        write: (channel, text) => writer.write(channel, text),
        abort,
        clock,
        stallMs: ports.stallMs,
        describeFailure: describe,
        modelLabel: info.label,
      })
      const countRunnable = (message: AssistantMessage) =>
        message.outcome === 'finished' && message.toolsEnabled
          ? ports
              .messageCalls(ports.builder.parseResponse(message.strategy, message.text, tools))
              .filter(({ runnable }) => runnable).length
          : 0
      await writer.end({ ...end, countRunnable })
    } catch (error) {
      ports.log('a reply could not be written', error)
      await writer.end({ outcome: 'failed', failure: describe(error, true), usage: null, countRunnable: () => 0 })
    }
  }

  return {
    /** Refuses with AppError, or gives what takes the place back when no run comes of it. */
    admit(owner: string): Admission {
      if (draining) {
        throw new AppError(
          'unavailable',
          'The server is being restarted. Your message is kept; send it again in a moment.',
        )
      }
      if (admitted >= ports.maxRuns) {
        throw new AppError('unavailable', 'The server writes as many replies as it can. Send it again in a moment.')
      }
      const free = ofOwner.take(owner)
      if (!free) {
        const count = ports.maxRunsPerOwner
        const message = `${count === 1 ? 'A reply is' : `${count} replies are`} being written for you, and no more can be at a time. Wait for one to end, or stop it, then send this again.`
        throw new AppError('rate-limited', message)
      }
      admitted += 1
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

    /** Returns at once; the reply goes on whoever listens. */
    start(owner: string, conversationId: string, reply: AssistantMessage, admission: Admission): void {
      const abort = new AbortController()
      const done = write(owner, conversationId, reply, abort).finally(() => {
        active.delete(reply.runId)
        admission.leave()
      })
      active.set(reply.runId, { abort, done })
    },

    settled: (runId: string): Promise<void> => active.get(runId)?.done ?? Promise.resolve(),

    async drain(graceMs: number): Promise<void> {
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
