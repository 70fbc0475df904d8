import type { ToolRuntime } from '@/lib/shared/tools/tool'

export interface RuntimePool {
  /** Returns the conversation's one runtime in this tab. Rejects if it could not start; the next call tries again. */
  get(conversationId: string): Promise<ToolRuntime>
  /** Ends the runtime of a conversation, if there is one. */
  drop(conversationId: string): void
}

interface Entry {
  readonly runtime: Promise<ToolRuntime>
  readonly use: { running: number }
}

/**
 * One runtime per conversation, shared by the controller and the cards. The oldest idle ones beyond `keep` are ended.
 */
export function createRuntimePool(create: (conversationId: string) => Promise<ToolRuntime>, keep = 4): RuntimePool {
  const pool = new Map<string, Entry>()

  function drop(conversationId: string): void {
    const entry = pool.get(conversationId)
    pool.delete(conversationId)
    entry?.runtime.then((runtime) => runtime.dispose()).catch(ignore)
  }

  function trim(): void {
    for (const [id, entry] of pool) {
      if (pool.size <= keep) return
      if (entry.use.running === 0) drop(id)
    }
  }

  return {
    drop,
    get(conversationId) {
      const known = pool.get(conversationId)
      if (known) {
        pool.delete(conversationId)
        pool.set(conversationId, known)
        return known.runtime
      }
      const use = { running: 0 }
      const entry: Entry = { use, runtime: create(conversationId).then((runtime) => counted(runtime, use)) }
      pool.set(conversationId, entry)
      entry.runtime.catch(() => {
        if (pool.get(conversationId) === entry) pool.delete(conversationId)
      })
      trim()
      return entry.runtime
    },
  }
}

/** Protects a runtime that runs a call from being ended for a newer one. */
function counted(runtime: ToolRuntime, use: { running: number }): ToolRuntime {
  return {
    ...runtime,
    dispose: () => runtime.dispose(),
    async execute(name, args, options) {
      use.running += 1
      try {
        return await runtime.execute(name, args, options)
      } finally {
        use.running -= 1
      }
    },
  }
}

/** A runtime that never started has nothing to end. */
const ignore = (): void => undefined
