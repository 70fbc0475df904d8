'use client'

import { SaidText } from '@/components/ui/foreign-text'
import { IconButton } from '@/components/ui/icon-button'
import { TextButton } from '@/components/ui/text-button'

/** What just happened to the files, with at most one way on. */
export interface FileNotice {
  readonly tone: 'said' | 'failed'
  readonly words: string
  readonly action?: { readonly label: string; readonly run: () => void }
}

/** Always in the page, so that its words are read out when they come. */
export function NoticeLine({ notice, onDismiss }: { notice: FileNotice | null; onDismiss: () => void }) {
  return (
    <div className="files-notice" role={notice?.tone === 'failed' ? 'alert' : 'status'}>
      {notice === null ? null : (
        <p className={notice.tone}>
          <span>
            <SaidText text={notice.words} />
          </span>
          {notice.action ? (
            <TextButton onClick={notice.action.run}>
              <SaidText text={notice.action.label} />
            </TextButton>
          ) : null}
          <IconButton icon="cross" label="Dismiss" onClick={onDismiss} />
        </p>
      )}
    </div>
  )
}
