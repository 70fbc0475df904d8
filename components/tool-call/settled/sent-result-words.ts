import type { CallEntry } from '../scope/use-message-calls'

type Told = Pick<CallEntry, 'toldUnfinished' | 'record'>

/**
 * What the model knows of a call that the user did not wait for, from what was really sent; null for any other call. Its
 * result may have come since: then the next message takes it along.
 */
export function unfinishedResultWords({ toldUnfinished, record }: Told): string | null {
  if (!toldUnfinished) return null
  const then = 'You wrote on before this had come back, and the model was told so'
  if (toldUnfinished.late) return `${then}; with a later message it was told how it ended.`
  return record?.outcome ? `${then}. Your next message tells it how it ended.` : `${then}. It knows no more of it.`
}

/** `told`: said once the results were posted. */
export const sentResultWords = (entry: Told, posted: boolean, told: string): string =>
  unfinishedResultWords(entry) ?? (posted ? told : 'The model has not been told yet.')
