'use client'

import { note } from '@/components/ui/recipes/surface'
import { t } from '@/lib/i18n/t'

/** Replaces a reply that waits for a free slot on the server. */
export default function QueueNote({ place }: { readonly place: number }) {
  return (
    <p className={note()} role="status">
      {t('queue.place', { place })}
    </p>
  )
}
