'use client'

import { SentenceText } from '@/components/ui/text/foreign-text'
import { IconButton, TextButton } from '@/components/ui/controls/button'
import { Progress } from '@/components/ui/page/progress'
import { t } from '@/lib/i18n/t'
import { useEffect, useState } from 'react'
import { Icon } from '@/components/ui/controls/icon'
import { note } from '@/components/ui/recipes/surface'
import { filesElsewhere, type FilesElsewhere } from '@/lib/client/wiring/files/file-locations.browser'

/** What just happened to the files, with at most one action. */
export interface FileNotice {
  readonly tone: 'said' | 'failed'
  readonly words: string
  readonly action?: { readonly label: string; readonly run: () => void }
  /** Progress in steps or bytes; `stop` is null once it can't be cancelled. */
  readonly progress?: { readonly done: number; readonly of: number; readonly stop: (() => void) | null }
}

/** Always rendered, so that screen readers announce its text when it appears. */
export function NoticeLine({ notice, onDismiss }: { notice: FileNotice | null; onDismiss: () => void }) {
  return (
    <div role={notice?.tone === 'failed' ? 'alert' : 'status'}>
      {notice === null ? null : notice.progress ? (
        <Underway words={notice.words} progress={notice.progress} />
      ) : (
        <p
          data-tone={notice.tone}
          className="flex items-center gap-3 border-t border-line bg-surface py-1 ps-4 pe-2 text-sm data-[tone=failed]:bg-danger-soft data-[tone=failed]:text-danger"
        >
          <span className="max-h-30 min-w-0 flex-1 overflow-y-auto wrap-anywhere">
            <SentenceText text={notice.words} />
          </span>
          {notice.action ? (
            <TextButton className="flex-none text-text" onClick={notice.action.run}>
              <SentenceText text={notice.action.label} />
            </TextButton>
          ) : null}
          <IconButton
            icon="cross"
            label={t('files-explorer.dismiss')}
            className="narrow:size-touch"
            onClick={onDismiss}
          />
        </p>
      )}
    </div>
  )
}

/** The steps are not announced; screen readers can read the progress bar. */
function Underway({ words, progress }: { words: string; progress: NonNullable<FileNotice['progress']> }) {
  const { done, of, stop } = progress
  return (
    <div aria-live="off">
      <Progress
        className="border-t border-line bg-surface px-4 py-2"
        what={words}
        done={done}
        of={of}
        {...(stop && { cancel: { label: t('wait.cancel'), run: stop } })}
      />
    </div>
  )
}

/** Says in which other browsers the account has files of this chat, and how to get them here. */
export function ElsewhereNote({ conversationId }: { conversationId: string }) {
  const [places, setPlaces] = useState<readonly FilesElsewhere[]>([])
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

function placesWords(places: readonly FilesElsewhere[]): string {
  const texts = places
    .map(({ browser, files }) => t('files-panel.place', { files, browser }))
    .reduce((before, place) => t('files-panel.place-and', { before, place }))
  return t('files-panel.elsewhere', { places: texts })
}
