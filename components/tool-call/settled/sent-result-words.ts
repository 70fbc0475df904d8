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

/** `told`: said once the results were posted. Of an outcome that is lost nobody knows whether it was before it was told. */
export function sentResultWords(entry: Told, posted: boolean, told: string): string {
  const unfinished = unfinishedResultWords(entry)
  if (unfinished !== null) return unfinished
  if (!posted) return 'The model has not been told yet.'
  return entry.record?.unreadable?.includes('outcome') ? 'The model was told what was known of it then.' : told
}
