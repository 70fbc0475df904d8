'use client'

import { useRef, type RefObject } from 'react'
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { t } from '@/lib/i18n/t'
import { chosenFiles, type ChosenFile } from '../upload/read-drop'

export interface EmptyFilesProps {
  readonly button: RefObject<HTMLButtonElement | null>
  readonly onUpload: (chosen: readonly ChosenFile[]) => void
}

/** No file yet: the two ways in. */
export function EmptyFiles({ button, onUpload }: EmptyFilesProps) {
  const field = useRef<HTMLInputElement>(null)
  return (
    <div className="m-3 grid flex-1 content-center justify-items-center gap-3 rounded-lg border border-dashed border-line-strong p-6 text-center text-pretty">
      <p>
        <b className="font-strong">{t('files-panel.empty')}</b>
      </p>
      <p className="text-muted">{t('files-panel.empty-about')}</p>
      <Button ref={button} data-first="" onClick={() => field.current?.click()}>
        <Icon name="upload" />
        {t('files-panel.upload-files')}
      </Button>
      <input
        ref={field}
        type="file"
        multiple
        hidden
        aria-label={t('files-panel.pick-first')}
        onChange={({ currentTarget }) => {
          onUpload(chosenFiles(currentTarget.files ?? []))
          currentTarget.value = ''
        }}
      />
    </div>
  )
}
