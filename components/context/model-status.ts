import { asForeign } from '@/lib/base/foreign-text/foreign'
import { frameSentence } from '@/lib/words/frame'
import { hereOf } from '@/lib/conversation/chat-row'
import { nameOfModel } from '@/lib/conversation/tab-run'
import type { ClientState } from '@/lib/client/state'
import { viewOf } from '@/lib/client/open-conversations'
import { shortName } from '@/lib/words/model-label'

export interface ModelStatus {
  readonly lamp: 'ready' | 'busy' | 'off'
  readonly words: string
}

/** The status line under the composer. */
export function modelStatus(state: ClientState): ModelStatus {
  const { models, online } = state
  const view = viewOf(state)
  if (!online) return { lamp: 'off', words: frameSentence('frame.status.off') }
  if (view.run?.connection === 'reconnecting')
    return { lamp: 'busy', words: frameSentence('frame.status.reconnecting') }
  const id = view.conversation?.settings.model
  if (!models || !id) return { lamp: 'busy', words: frameSentence('frame.status.looking') }
  const model = models.models.find((one) => one.id === id)
  if (!model)
    return { lamp: 'off', words: frameSentence('frame.status.not-here', { model: asForeign(nameOfModel(id)) }) }
  const name = model.simulated ? shortName(model) : asForeign(shortName(model))
  if (view.run?.stopping) return { lamp: 'busy', words: frameSentence('frame.status.stopping') }
  if (typeof view.run?.place === 'number')
    return { lamp: 'busy', words: frameSentence('frame.status.queued', { model: name }) }
  if (view.run?.doing)
    return { lamp: 'busy', words: frameSentence('frame.status.doing', { model: name, doing: view.run.doing }) }
  if (view.run || view.sending) return { lamp: 'busy', words: frameSentence('frame.status.writing', { model: name }) }
  const last = hereOf(view.path).at(-1)
  const failed = last?.role === 'assistant' && last.outcome === 'failed' && last.model === id
  if (failed && last.failure?.code === 'unreachable')
    return { lamp: 'off', words: frameSentence('frame.status.unreachable', { model: name }) }
  // Whether a listed model answers is known once it has.
  const answered = model.simulated || (last?.role === 'assistant' && last.outcome === 'finished' && last.model === id)
  return {
    lamp: 'ready',
    words: frameSentence(answered ? 'frame.status.ready' : 'frame.status.listed', { model: name }),
  }
}
