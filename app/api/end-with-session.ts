import type { OwnerRequest } from './with-owner'

/**
 * What is still being read ends with the session, or the account, that asked for it; a reader without one has none to lose. Gives what is
 * called when the answer is over.
 */
export function endWithSession(
  { server: { accounts = null }, identity: { signedIn } }: Pick<OwnerRequest<unknown>, 'server' | 'identity'>,
  gone: AbortController,
): () => void {
  if (!accounts || !signedIn || gone.signal.aborted) return () => {}
  const stop = accounts.watch(signedIn, () => gone.abort())
  gone.signal.addEventListener('abort', stop, { once: true })
  return stop
}
