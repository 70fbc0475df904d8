import type { ModelInfo } from '@/lib/models/model'
import { hereOf } from '@/lib/conversation/chat-row'
import type { ClientState } from '@/lib/client/state'
import { viewOf } from '@/lib/client/open-conversations'

export interface ModelStatus {
  readonly lamp: 'ready' | 'busy' | 'off'
  readonly words: string
}

/** "Demo (a script)" → "Demo": the name as it stands in a sentence. */
export const shortName = (model: ModelInfo): string => model.label.replace(/ \([^)]*\)$/, '')

/** The status line under the composer. */
export function modelStatus(state: ClientState): ModelStatus {
  const { models, online } = state
  const view = viewOf(state)
  if (!online) return { lamp: 'off', words: 'The server can’t be reached' }
  if (view.run?.connection === 'reconnecting') return { lamp: 'busy', words: 'Reconnecting…' }
  const id = view.conversation?.settings.model
  if (!models || !id) return { lamp: 'busy', words: 'Looking for models…' }
  const model = models.models.find((one) => one.id === id)
  if (!model) return { lamp: 'off', words: `${id} is not available here` }
  const name = shortName(model)
  if (view.run?.stopping) return { lamp: 'busy', words: 'Stopping…' }
  if (typeof view.run?.place === 'number') return { lamp: 'busy', words: `${name} writes when a place is free` }
  if (view.run || view.sending) return { lamp: 'busy', words: `${name} is writing` }
  const last = hereOf(view.path).at(-1)
  const failed = last?.role === 'assistant' && last.outcome === 'failed' && last.model === id
  if (failed && last.failure?.code === 'unreachable') return { lamp: 'off', words: `${name} can’t be reached` }
  // Whether a listed model answers is known once it has.
  const answered = model.simulated || (last?.role === 'assistant' && last.outcome === 'finished' && last.model === id)
  return { lamp: 'ready', words: answered ? `${name} is ready` : `${name} is listed` }
}
