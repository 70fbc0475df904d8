'use client'

import { useEffect, useState } from 'react'
import { SentenceText } from '@/components/ui/foreign-text'
import { Icon } from '@/components/ui/icon'
import { note } from '@/components/ui/recipes/note'
import { t } from '@/lib/i18n/t'
import { filesElsewhere, type FilesElsewhere as BrokenTextLocation } from '@/lib/client/wiring/file-locations.browser'

/** Where else the account has files of this chat, and how they get here. */
export function ElsewhereNote({ conversationId }: { conversationId: string }) {
  const [places, setPlaces] = useState<readonly BrokenTextLocation[]>([])
  useEffect(() => {
    let wanted = true
    const look = async () => {
      const found = await filesElsewhere(conversationId)
      if (wanted) setPlaces(found)
    }
    void look()
    return () => {
      wanted = false
    }
  }, [conversationId])
  if (places.length === 0) return null
  return (
    <div className={note({ tall: true, place: 'inset' })} role="status">
      <Icon name="info" />
      <p>
        <SentenceText text={placesWords(places)} />
      </p>
    </div>
  )
}

function placesWords(places: readonly BrokenTextLocation[]): string {
  const said = places
    .map(({ browser, files }) => t('files-panel.place', { files, browser }))
    .reduce((before, place) => t('files-panel.place-and', { before, place }))
  return t('files-panel.elsewhere', { places: said })
}
