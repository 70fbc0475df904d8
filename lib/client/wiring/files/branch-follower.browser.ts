import { locksOrNull } from '@/lib/base/features.browser'
import { makeModelMessage } from '@/lib/i18n/t'
import type { CallOutcome } from '@/lib/shared/conversation/call-record'
import { treePathTo } from '@/lib/shared/conversation/message-tree'
import type { ConversationState } from '@/lib/client/state/state'
import type { ClientStore } from '@/lib/client/state/store'
import { callLockName } from '@/lib/client/calls/call-ports'
import { createWebCallLocks, heldCalls } from '@/lib/client/calls/call-locks.browser'
import { foreignErrorText } from '@/lib/client/calls/run-call'
import type { ToolRuntime } from '@/lib/shared/tools/tool'
import { createBranchFollower, type BranchFollower, type ShownBranch } from '@/lib/client/files/follow-branch'
import { toolRuntimes } from '@/lib/client/wiring/tool-runtimes.browser'
import { viewOf } from '@/lib/client/state/open-conversations'

// Loaded by `import()` with the first reply or the first call that runs.

const followers = new WeakMap<ClientStore, BranchFollower>()

/** Keeps the files of this page's conversation on the shown branch; one per store. */
export function branchFollower(store: ClientStore): BranchFollower {
  const known = followers.get(store)
  if (known) return known
  const locks = createWebCallLocks(locksOrNull())
  const view = () => viewOf(store.getState())
  const made = createBranchFollower({
    shown: () => shownBranch(view()),
    pathTo(conversationId, messageId) {
      const { id, tree } = view()
      return id === conversationId && tree.has(messageId) ? treePathTo(tree, messageId).map((row) => row.id) : null
    },
    isVisible: () => document.visibilityState === 'visible',
    files: async (conversationId) => (await toolRuntimes.get(conversationId)).vfs,
    async runningCall({ knows }) {
      const running = (await heldCalls(locksOrNull())).find(({ name = '' }) => isCallOf(name, knows))
      return running?.name ?? null
    },
    whenFree: (lock) => locks.whenFree(lock, new AbortController().signal),
  })
  followers.set(store, made)
  return made
}

/** Checks whenever the shown branch changes, or the page becomes visible. Returns the function that ends it. */
export function watchBranch(store: ClientStore): () => void {
  const { look } = branchFollower(store)
  let seen: readonly unknown[] = []
  const checkIfChanged = () => {
    const { id, path, phase, sending, calls, others } = viewOf(store.getState())
    const next = [id, path, phase, sending, others.ran || calls.size > 0]
    if (next.every((part, at) => part === seen[at])) return
    seen = next
    look()
  }
  const unsubscribe = store.subscribe(checkIfChanged)
  document.addEventListener('visibilitychange', look)
  checkIfChanged()
  return () => {
    unsubscribe()
    document.removeEventListener('visibilitychange', look)
  }
}

/** The runtime whose calls run on the files of their own branch. */
export function onBranch(conversationId: string, runtime: ToolRuntime, store: ClientStore): ToolRuntime {
  const { beforeRun } = branchFollower(store)
  return {
    ...runtime,
    async execute(name, args, options) {
      const { origin } = options
      if (origin?.kind !== 'call') return runtime.execute(name, args, options)
      const ended = await beforeRun(conversationId, origin.messageId).catch((error: unknown) => foreignErrorText(error))
      if (typeof ended === 'string') return notRun(ended)
      try {
        return await runtime.execute(name, args, options)
      } finally {
        ended()
      }
    },
  }
}

function notRun(why: string): CallOutcome {
  const { reason, values, message } = makeModelMessage('told.files-not-there', { why })
  return {
    status: 'error',
    result: { error: message },
    durationMs: null,
    console: [],
    displays: [],
    said: [{ reason, values }],
  }
}

const isCallOf = (lock: string, knows: (messageId: string) => boolean): boolean => {
  const at = lock.lastIndexOf(':')
  const messageId = lock.slice(callLockName('', 0).length - 2, at)
  return lock === callLockName(messageId, Number(lock.slice(at + 1))) && knows(messageId)
}

function shownBranch({ id, phase, path, tree, calls, others, sending }: ConversationState): ShownBranch | null {
  if (phase !== 'ready') return null
  return {
    conversationId: id,
    path: path.map((row) => row.id),
    knows: (messageId) => tree.has(messageId),
    hasRun: others.ran || [...calls.values()].some(({ decision }) => decision === 'run'),
    settled: !sending,
  }
}
