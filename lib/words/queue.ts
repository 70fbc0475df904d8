import { sentencesOf } from '@/lib/base/catalogue'

export const queueSentence = sentencesOf({
  /** `place` 0: nobody has said. */
  'queue.place':
    '{place, selectordinal, =0 {Waiting for a place in the queue.} one {Waiting for a place: #st in the queue.} two {Waiting for a place: #nd in the queue.} few {Waiting for a place: #rd in the queue.} other {Waiting for a place: #th in the queue.}}',
})
