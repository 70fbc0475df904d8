import type { CallRecord } from '@/lib/shared/conversation/conversation'

/** How long the results of a reply wait for the reason of a denial that was given none, ms. */
export const REASON_MS = 5_000

/** Denied by a person without a reason, which may still be added: the model was not told yet. */
export const isUnexplained = (row: CallRecord | undefined): boolean =>
  row?.decision === 'deny' && row.by.kind === 'click' && row.reason === '' && row.postedIn === null
