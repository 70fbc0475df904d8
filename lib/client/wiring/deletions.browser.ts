import { wallClock } from '@/lib/base/clocks'
import { localStorageOrNull, openChannel } from '@/lib/base/features.browser'
import { err, ok } from '@/lib/base/result'
import type { ChatActions } from '@/lib/client/chats/actions'
import { createDeletions, deletionsKey, type Deletions, sortInParts } from '@/lib/client/api/deletions'
import { storageSpace } from '@/lib/client/outbox/outbox'
import { t } from '@/lib/i18n/t'
import { createApiClient } from '@/lib/client/api/api-client'
import { readyToRead, type ApiAnswer } from '@/lib/client/api/api-failure'
import { conversationsChannel } from '@/lib/client/browser/tab-news'
import type { ClientStore } from '@/lib/client/state/store'
import type { ChangedMessagesPage } from '@/lib/shared/conversation/wire/api-types'
import { fetchNoting, nodApi, pageWho } from './nod-api.browser'

type Actions = Pick<ChatActions, 'open' | 'listChanged' | 'forgetForGood'>

let page: Deletions | null = null

/** The page's only list of deletions that can be undone. */
export function deletionsOf(actions: Actions): Deletions {
  page ??= create(actions)
  return page
}

function create(actions: Actions): Deletions {
  const storage = localStorageOrNull()
  const made = createDeletions({
    storage: storage && storageSpace(storage, pageWho),
    now: wallClock,
    schedule(task, ms) {
      const timer = setTimeout(task, ms)
      return () => clearTimeout(timer)
    },
    async restore({ ids, messageIn }) {
      if (messageIn !== undefined) return setMessagesDeleted(messageIn, ids, false)
      const { done, problem } = await sortInParts(nodApi, ids, { deleted: false })
      return problem ? err(problem) : ok(done)
    },
    restored: (ids, { messageIn }) => {
      if (messageIn !== undefined) return actions.open(messageIn)
      actions.listChanged()
      if (ids.length === 1) actions.open(ids[0] ?? null)
    },
    forget: (ids) => void actions.forgetForGood(ids),
    gone: () => t('list.gone-for-good'),
  })
  window.addEventListener('storage', ({ key }) => {
    if (key === null || key.includes(deletionsKey)) made.changedElsewhere()
  })
  return made
}

const { ask } = createApiClient(fetchNoting)
/** The page's store; known once a message was deleted here. */
let shown: Pick<ClientStore, 'dispatch' | 'getState'> | null = null

/**
 * Deletes messages with their calls and results; they can be restored for a while. Returns a sentence if they were not
 * deleted.
 */
export async function deleteMessages(
  store: Pick<ClientStore, 'dispatch' | 'getState'>,
  actions: Actions,
  conversationId: string,
  ids: readonly string[],
): Promise<string | null> {
  shown = store
  const answer = await setMessagesDeleted(conversationId, ids, true)
  if (!answer.ok) return answer.error.message
  deletionsOf(actions).add(ids, conversationId)
  return null
}

async function setMessagesDeleted(
  conversationId: string,
  ids: readonly string[],
  deleted: boolean,
): Promise<ApiAnswer<readonly string[]>> {
  const path = `/api/conversations/${encodeURIComponent(conversationId)}/messages`
  const answer = await ask<ChangedMessagesPage>('PATCH', path, { body: { ids, deleted } })
  if (!answer.ok) return answer
  const { headId, ...changed } = answer.value
  await readyToRead(changed.messages).catch(() => undefined)
  shown?.dispatch({ type: 'messages-loaded', conversationId, ...changed })
  const view = shown?.getState().open.get(conversationId)
  if (view && !view.run && view.path.at(-1)?.id !== headId)
    shown?.dispatch({ type: 'head-moved', conversationId, headId })
  // A channel of its own, so that this page gets the message too: after a reload it does not know the store yet.
  const channel = openChannel(conversationsChannel)
  channel.postMessage({ conversationId })
  channel.close()
  return ok(ids)
}
