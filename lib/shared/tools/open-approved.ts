import { err, ok, type Result } from '@/lib/base/result'
import { makeTold } from '@/lib/i18n/t'
import type { WebAnswer } from '@/lib/shared/web/web-answer'
import { foreignFailure, refuse } from './refuse'
import type { ToolContext, ToolOutcome } from './tool'

/** Has this app's server carry out this very call: it knows the address from the stored call, and is told which call it is. */
export async function openApproved({
  openWeb,
  origin,
  innerNumber: inner,
  signal,
}: ToolContext<'none'>): Promise<Result<WebAnswer, ToolOutcome>> {
  if (openWeb === undefined || origin?.kind !== 'call') return err(refuse('not-sent', makeTold('told.web.not-here')))
  const { messageId, slot, attempt } = origin
  const answer = await openWeb({ messageId, slot, attempt, ...(inner !== undefined && { inner }) }, signal)
  if (signal.aborted) return err(refuse('stopped', makeTold('told.web.stopped')))
  return answer.ok ? ok(answer.value) : err(foreignFailure('not-sent', answer.error))
}

/** Why there is no page, for the model and the user; the address of a redirect comes beside it. */
export function webFailure({
  why,
  host,
  status = 0,
  to,
}: Extract<WebAnswer, { readonly kind: 'failed' }>): ToolOutcome {
  const told = makeTold('told.web.failed', { why, host, status })
  return refuse(why, told, to === undefined ? {} : { redirect: to })
}
