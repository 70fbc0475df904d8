import type { ClientState } from './state'
import { viewOf } from './open-conversations'

/** Tells of a reply whether this page followed it while it was written; only such a one may run anything by itself. */
export function watchReplies(store: {
  readonly getState: () => ClientState
  readonly subscribe: (listener: () => void) => () => void
}): (replyId: string) => boolean {
  const watched = new Set<string>()
  store.subscribe(() => {
    const { run } = viewOf(store.getState())
    if (run) watched.add(run.replyId)
  })
  return (replyId) => watched.has(replyId)
}
