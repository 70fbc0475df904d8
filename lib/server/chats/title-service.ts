import type { WhyNoTitle } from '@/lib/i18n/kept-words'
import { AppError } from '@/lib/base/app-error'
import { isBrowserModel } from '@/lib/base/browser-model-id'
import { mostOfTitleReply, titleIn, titleRequest } from '@/lib/shared/conversation/wire/title-request'
import { makeError } from '@/lib/i18n/t'
import type { Visitor } from '../quota/quota-limits'
import type { StoredConversations } from '../stored-chats/stored-conversations'
import type { TrialService } from './trial-service'

export interface TitleService {
  /**
   * A name for a chat by its own model, which is asked without tools, under the limits of replies and metered as one. Nothing is
   * changed. `gone`: whoever asked went away, which ends it. Rejects with AppError where there is no name.
   */
  suggestTitle(owner: string, id: string, gone: AbortSignal, visitor?: Visitor): Promise<{ readonly title: string }>
}

const COME_AGAIN_SECONDS = 3
/** Messages that are looked at, the newest. */
const mostMessages = 200

export function createTitleService(chats: Pick<StoredConversations, 'loadBranch'>, trials: TrialService): TitleService {
  return {
    async suggestTitle(owner, id, gone, visitor) {
      const { conversation, messages } = await chats.loadBranch(owner, id, { limit: mostMessages, callsOf: 'head' })
      const { model } = conversation.settings
      if (isBrowserModel(model)) throw makeError('bad-request', 'chat.title.in-browser')
      const request = titleRequest(messages, model)
      if (!request) throw makeError('bad-request', 'chat.title.nothing-said')
      const leave = new AbortController()
      const lines = await trials
        .trial(owner, request, AbortSignal.any([gone, leave.signal]), visitor)
        .catch((error: unknown) => {
          throw error instanceof AppError && error.reason === 'chat.lab.busy'
            ? makeError('unavailable', 'chat.title.busy', {}, { cause: error, retryAfterSeconds: COME_AGAIN_SECONDS })
            : error
        })
      let text = ''
      for await (const some of lines) {
        for (const line of some) {
          if (line.type === 'text') text += line.text
          if (text.length > mostOfTitleReply) leave.abort()
          if (line.type === 'end' && line.failure) {
            const why: WhyNoTitle = { why: line.failure.message, said: line.failure.said ?? [] }
            throw makeError('unavailable', 'chat.title.failed', why)
          }
        }
      }
      const title = titleIn(text)
      if (title === null) throw makeError('unavailable', 'chat.title.none')
      return { title }
    },
  }
}
