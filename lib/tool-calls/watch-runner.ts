import type { CallActions } from '@/lib/client/actions'
import { callLockName, type CallControllerPorts } from './call-ports'
import { openReply } from './open-reply'

/** Whether a tab of this browser runs a call; when none does any more its row is loaded again. */
export function watchRunner(
  ports: CallControllerPorts,
  ...[messageId, slot, onChange]: Parameters<CallActions['watchRunner']>
): () => void {
  const unsubscribed = new AbortController()
  const { signal } = unsubscribed
  void (async () => {
    const name = callLockName(messageId, slot)
    try {
      while (!signal.aborted && (await ports.locks.isHeld(name))) {
        if (!signal.aborted) onChange(true)
        await ports.locks.whenFree(name, signal)
        if (!signal.aborted) await openReply(ports, messageId)?.load()
      }
    } catch {
      // Without locks nobody can be running it.
    }
    if (!signal.aborted) onChange(false)
  })()
  return () => unsubscribed.abort()
}
