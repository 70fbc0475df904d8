import { sentencesOf } from '@/lib/base/catalogue'
import { ordinal } from '@/lib/base/locale'

const nth = { one: 'st', two: 'nd', few: 'rd', other: 'th' } as const

export const queueSentence = sentencesOf({
  /** `place` 0: nobody has said. */
  'queue.place': ({ place }: { readonly place: number }) =>
    place === 0 ? 'Waiting for a place in the queue.' : `Waiting for a place: ${ordinal(place, nth)} in the queue.`,
})
