import { AppError } from '@/lib/base/app-error'

const WENT_ON = 'This chat went on elsewhere, so nothing was added here. Look at it as it stands now.'

/** The refusal of an append that took the chat to end elsewhere. `headId`: where it ends; null: before its first message. */
export const headMoved = (headId: string | null, words: string = WENT_ON): AppError =>
  new AppError('conflict', words, { headId })
