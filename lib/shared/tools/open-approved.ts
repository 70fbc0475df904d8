import { err, ok, type Result } from '@/lib/base/result'
import { makeModelMessage } from '@/lib/i18n/t'
import type { WebAnswer } from '@/lib/shared/web/web-answer'
import { foreignFailure, refuse } from './refuse'
import type { ToolContext, ToolOutcome } from './tool'

/**
 * Asks this app's server to carry out the call. The server gets the call's id and reads the address from the stored
 * call.
 */
export async function openApproved({
  openWeb,
  origin,
  innerNumber: inner,
  signal,
}: ToolContext<'none'>): Promise<Result<WebAnswer, ToolOutcome>> {
  if (openWeb === undefined || origin?.kind !== 'call')
    return err(refuse('not-sent', makeModelMessage('told.web.not-here')))
  const { messageId, slot, attempt } = origin
  const answer = await openWeb({ messageId, slot, attempt, ...(inner !== undefined && { inner }) }, signal)
  if (signal.aborted) return err(refuse('stopped', makeModelMessage('told.web.stopped')))
  return answer.ok ? ok(answer.value) : err(foreignFailure('not-sent', answer.error))
}

/** Why there is no page, for the model and the user. The address of a redirect is a separate value. */
export function webFailure({
  why,
  host,
  status = 0,
  to,
}: Extract<WebAnswer, { readonly kind: 'failed' }>): ToolOutcome {
  const refusal = makeModelMessage('told.web.failed', { why, host, status })
  return refuse(why, refusal, to === undefined ? {} : { redirect: to })
}
