import type { AppError } from '@/lib/base/app-error'
import { makeError } from '@/lib/i18n/t'

export type HeadMoved = 'chat.went-on' | 'chat.results.elsewhere'

/** The refusal of an append with an outdated head. `headId`: the current one; null: before its first message. */
export const headMoved = (headId: string | null, reason: HeadMoved = 'chat.went-on'): AppError =>
  makeError('conflict', reason, {}, { headId })
