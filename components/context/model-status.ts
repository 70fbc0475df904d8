import { asUntrusted, asWritten } from '@/lib/base/untrusted-text/foreign'
import { shortName } from '@/lib/i18n/model-label'
import { t } from '@/lib/i18n/t'
import { loadedMessagesOf } from '@/lib/shared/conversation/message-tree'
import { nameOfModel } from '@/lib/shared/conversation/wire/tab-run'
import type { ClientState, ConversationState } from '@/lib/client/state/state'
import { viewOf } from '@/lib/client/state/open-conversations'

export interface ModelStatus {
  readonly lamp: 'busy' | 'off' | 'none'
  readonly words: string
}

const nothing: ModelStatus = { lamp: 'none', words: '' }

/** The status line under the composer: what happens or is wrong now, else nothing. */
export function modelStatus(state: ClientState): ModelStatus {
  const { models, online } = state
  const view = viewOf(state)
  if (!online) return { lamp: 'off', words: t('frame.status.off') }
  if (view.run?.connection === 'reconnecting') return { lamp: 'busy', words: t('frame.status.reconnecting') }
  const id = view.conversation?.settings.model
  if (!models || !id) return { lamp: 'busy', words: t('frame.status.looking') }
  const model = models.models.find((one) => one.id === id)
  if (!model) return { lamp: 'off', words: t('frame.status.not-here', { model: asUntrusted(nameOfModel(id)) }) }
  const name = model.simulated ? asWritten(shortName(model)) : asUntrusted(shortName(model))
  if (view.run?.stopping) return { lamp: 'busy', words: t('frame.status.stopping') }
  if (typeof view.run?.place === 'number') return { lamp: 'busy', words: t('frame.status.queued', { model: name }) }
  if (view.run?.doing) return { lamp: 'busy', words: t('frame.status.doing', { model: name, doing: view.run.doing }) }
  const last = loadedMessagesOf(view.path).at(-1)
  if (view.run || view.sending) {
    const written = last?.role === 'assistant' && last.id === view.run?.replyId ? last : null
    const doing = written?.text ? 'writing' : written?.reasoning ? 'thinking' : 'waiting'
    return { lamp: 'busy', words: t(`frame.status.${doing}`, { model: name }) }
  }
  const reply = last?.role === 'assistant' && last.model === id ? last : null
  if (reply?.outcome === 'failed') {
    const is = reply.failure?.code === 'unreachable' ? 'unreachable' : 'failed'
    return { lamp: 'off', words: t(`frame.status.${is}`, { model: name }) }
  }
  return nothing
}

/** The chat's last reply was constrained to its call format, and the next request is constrained the same way. */
export function isConstrainedNow({ path, conversation }: Pick<ConversationState, 'path' | 'conversation'>): boolean {
  const settings = conversation?.settings
  const last = loadedMessagesOf(path).findLast(({ role }) => role === 'assistant')
  return (
    last?.role === 'assistant' &&
    last.exact?.is === 'honoured' &&
    last.model === settings?.model &&
    last.strategy === settings.strategy &&
    settings.exact !== false
  )
}
