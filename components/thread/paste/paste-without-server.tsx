'use client'

import { note } from '@/components/ui/recipes/surface'
import { textButton } from '@/components/ui/recipes/button'
import { withBase } from '@/lib/base/base-path'
import { t } from '@/lib/i18n/t'

/** Says what works without the server: not the chat, but the playground. */
export default function PasteWithoutServer() {
  return (
    <p className={note()}>
      <span>
        {t('paste.without')}{' '}
        {/* Opens in a new tab: this tab keeps the prompt, and writes the reply once the server is back. */}
        <a className={textButton()} href={withBase('/playground')} target="_blank" rel="noreferrer">
          {t('paste.playground')}
        </a>
      </span>
    </p>
  )
}
