'use client'

import { note } from '@/components/ui/recipes/surface'
import { textButton } from '@/components/ui/recipes/button'
import { withBase } from '@/lib/base/base-path'
import { t } from '@/lib/i18n/t'

/** What goes on without the server: the chat's rows do not, the playground does. */
export default function PasteWithoutServer() {
  return (
    <p className={note()}>
      <span>
        {t('paste.without')}{' '}
        {/* Beside the chat: its tab keeps the prompt, and writes the reply once the server is back. */}
        <a className={textButton()} href={withBase('/playground')} target="_blank" rel="noreferrer">
          {t('paste.playground')}
        </a>
      </span>
    </p>
  )
}
