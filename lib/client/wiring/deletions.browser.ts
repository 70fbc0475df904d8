import { wallClock } from '@/lib/base/clocks'
import { localStorageOrNull } from '@/lib/base/features.browser'
import { err, ok } from '@/lib/base/result'
import type { ChatActions } from '@/lib/client/chats/actions'
import { createDeletions, deletionsKey, type Deletions, sortInParts } from '@/lib/client/api/deletions'
import { storageSpace } from '@/lib/client/outbox/outbox'
import { t } from '@/lib/i18n/t'
import { nodApi, pageWho } from './nod-api.browser'

type Actions = Pick<ChatActions, 'open' | 'listChanged' | 'forgetForGood'>

let page: Deletions | null = null

/** The page's one list of what can be taken back. */
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
    async restore(ids) {
      const { done, problem } = await sortInParts(nodApi, ids, { deleted: false })
      return problem ? err(problem) : ok(done)
    },
    restored: (ids) => {
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
