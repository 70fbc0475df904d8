import type { CallActions } from './actions'
import { t } from '@/lib/i18n/t'
import type { ChatPorts, ConversationActions } from './chat-ports'
import { viewOf } from '../state/open-conversations'

/** The message for an action whose code could not be loaded. */
export const notLoaded = (): string => t('client.part-missing')

/**
 * The actions on calls, whose code is loaded at the first one: a chat without replies never needs it. Actions are sent
 * in the order in which they were made. `onFailure` is called once per action if the code can't be loaded.
 */
export function createLazyCalls(
  load: () => Promise<CallActions>,
  onFailure: (sentence: string) => void,
): CallActions & { readonly loaded: () => Promise<CallActions> } {
  let loaded: CallActions | null = null
  let loading: Promise<CallActions> | null = null
  const get = (): Promise<CallActions> => {
    loading ??= load().then(
      (actions) => (loaded = actions),
      (error: unknown) => {
        // The next action tries to load again.
        loading = null
        throw error
      },
    )
    return loading
  }
  const tell = (act: (actions: CallActions) => void): void => {
    if (loaded) act(loaded)
    else void get().then(act, () => onFailure(notLoaded()))
  }
  const ask = (act: (actions: CallActions) => Promise<string | null>): Promise<string | null> =>
    loaded ? act(loaded) : get().then(act, notLoaded)

  return {
    run: (...args) => tell((actions) => actions.run(...args)),
    continueRounds: (...args) => tell((actions) => actions.continueRounds(...args)),
    look: (...args) => tell((actions) => actions.look(...args)),
    answerReview: (...args) => tell((actions) => actions.answerReview(...args)),
    showPictures: (...args) => tell((actions) => actions.showPictures(...args)),
    answerQuestion: (...args) => tell((actions) => actions.answerQuestion(...args)),
    answerInner: (...args) => tell((actions) => actions.answerInner(...args)),
    skip: (...args) => tell((actions) => actions.skip(...args)),
    deny: (...args) => tell((actions) => actions.deny(...args)),
    explain: (...args) => ask((actions) => actions.explain(...args)),
    holdForReason(...args) {
      let wanted = true
      let releaseHold = () => {}
      const hold = async () => {
        const actions = await get()
        if (wanted) releaseHold = actions.holdForReason(...args)
      }
      hold().catch(() => {})
      return () => {
        wanted = false
        releaseHold()
      }
    },
    stop: (...args) => tell((actions) => actions.stop(...args)),
    runAgain: (...args) => tell((actions) => actions.runAgain(...args)),
    notifyModel: (...args) => tell((actions) => actions.notifyModel(...args)),
    amend: (...args) => ask((actions) => actions.amend(...args)),
    release: (...args) => ask((actions) => actions.release(...args)),
    remember: (...args) => ask((actions) => actions.remember(...args)),
    revokeGrant: (...args) => ask((actions) => actions.revokeGrant(...args)),
    workOnCopy: (...args) => ask((actions) => actions.workOnCopy(...args)),
    allowEffects: (...args) => ask((actions) => actions.allowEffects(...args)),
    endCopy: (...args) => ask((actions) => actions.endCopy(...args)),
    checkLookAnswer: (...args) =>
      get()
        .then((actions) => actions.checkLookAnswer(...args))
        .catch(() => false),
    watchRunner(...args) {
      let wanted = true
      let unwatch = () => {}
      // Without the code no tab can tell who runs a call; the card shows the call as it is stored.
      const watch = async () => {
        const actions = await get()
        if (wanted) unwatch = actions.watchRunner(...args)
      }
      watch().catch(() => {})
      return () => {
        wanted = false
        unwatch()
      }
    },
    loaded: get,
  }
}

type CreateChatKeeper = ChatPorts['createConversationActions']

/**
 * Actions on whole chats, with code that loads on first use. If it can't be loaded, the action reports a failure, as if
 * the server had refused.
 */
export const createLazyConversationActions =
  (load: () => Promise<{ readonly createConversationActions: CreateChatKeeper }>): CreateChatKeeper =>
  (ports, parts) => {
    let keeper: ConversationActions | null = null
    const get = async (): Promise<ConversationActions | null> => {
      const code = keeper ? null : await load().catch(() => null)
      return (keeper ??= code?.createConversationActions(ports, parts) ?? null)
    }
    const tell = async (act: (keeper: ConversationActions) => Promise<void>): Promise<void> => {
      const loaded = await get()
      if (loaded) return act(loaded)
      parts.raise(viewOf(ports.store.getState()).id, notLoaded())
    }
    return {
      rename: (...args) => tell((it) => it.rename(...args)),
      remove: (...args) => tell((it) => it.remove(...args)),
      keepChat: () => tell((it) => it.keepChat()),
      endTemporary: (...args) => tell((it) => it.endTemporary(...args)),
      async forgetForGood(...args) {
        // No user waits for this, so no error is shown: the remaining data is only in this browser.
        await (await get())?.forgetForGood(...args)
      },
      async updateMarks(...args) {
        const loaded = await get()
        return loaded ? loaded.updateMarks(...args) : notLoaded()
      },
    }
  }
