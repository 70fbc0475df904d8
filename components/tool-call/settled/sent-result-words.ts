import { t } from '@/lib/i18n/t'
import type { CallEntry } from '../scope/use-message-calls'

type Told = Pick<CallEntry, 'toldUnfinished' | 'record'>

/**
 * What the model knows of a call that the user did not wait for, from what was really sent; null for any other call. Its
 * result may have come since: then the next message takes it along.
 */
export function unfinishedResultWords({ toldUnfinished, record }: Told): string | null {
  if (!toldUnfinished) return null
  if (toldUnfinished.late) return t('settled.wrote-on.late')
  return t(record?.outcome ? 'settled.wrote-on.ended' : 'settled.wrote-on.open')
}

/** `told`: said once the results were posted. Of an outcome that is lost nobody knows whether it was before it was told. */
export function sentResultWords(entry: Told, posted: boolean, told: string): string {
  const unfinished = unfinishedResultWords(entry)
  if (unfinished !== null) return unfinished
  if (!posted) return t('settled.untold')
  return entry.record?.unreadable?.includes('outcome') ? t('settled.told-then') : told
}
