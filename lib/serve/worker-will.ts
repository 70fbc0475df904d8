import type { WorkerLeaves } from './worker-messages'

export interface WorkerWill {
  hear(message: WorkerLeaves): void
  /** The worker is gone: what it left is told. */
  open(): void
}

/** What one worker wants to be told when it dies, as it cannot say so itself any more: kept by its supervisor, who sees the death at once. */
export function createWorkerWill(tell: (text: string) => void): WorkerWill {
  const texts = new Map<string, string>()
  let isOpen = false
  return {
    hear({ id, text }) {
      if (text === null) texts.delete(id)
      // What it said last may be read after its death is seen.
      else if (isOpen) tell(text)
      else texts.set(id, text)
    },
    open() {
      isOpen = true
      for (const text of texts.values()) tell(text)
      texts.clear()
    },
  }
}
