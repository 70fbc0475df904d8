'use client'

import { note } from '@/components/ui/recipes/note'
import { queueSentence } from '@/lib/words/queue'

/** Instead of a reply that waits for a place on the server. */
export default function QueueNote({ place }: { readonly place: number }) {
  return (
    <p className={note()} role="status">
      {queueSentence('queue.place', { place })}
    </p>
  )
}
