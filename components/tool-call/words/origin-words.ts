import type { ValueNote } from '@/components/ui/popups/noted-text'
import { asUntrusted, spoken } from '@/lib/base/untrusted-text/foreign'
import { toolLabel } from '@/lib/i18n/labels'
import { t } from '@/lib/i18n/t'
import type { CallMark, LinedPlace } from '@/lib/shared/origin/branch-origin'

/** The name of a text in sentences; the result of a call that read a file is that file. */
export const kindOf = (place: LinedPlace) => (place.kind === 'result' && place.path !== undefined ? 'file' : place.kind)

/** The reader's name for the text; '' for the imported part. */
export function nameOf(place: LinedPlace): string {
  switch (place.kind) {
    case 'result':
      return place.path ?? toolLabel(place.tool) ?? place.tool
    case 'attachment':
      return place.path.split('/').at(-1) ?? place.path
    case 'imported':
      return ''
    case 'description':
      return place.tool
  }
}

const known = new WeakMap<CallMark, readonly ValueNote[]>()

/** A sentence for each value that is in a text from elsewhere. */
export function notesOf(origin: CallMark): readonly ValueNote[] {
  const before = known.get(origin)
  if (before) return before
  const notes = origin.values.map(({ value, place }) => ({ value, origin: fromWords(place) }))
  known.set(origin, notes)
  return notes
}

function fromWords(place: LinedPlace): string {
  const tool = place.kind === 'result' ? (toolLabel(place.tool) ?? place.tool) : ''
  return spoken(
    t('card-origin.from', { place: kindOf(place), tool, name: asUntrusted(nameOf(place)), line: place.line ?? 0 }),
  )
}
