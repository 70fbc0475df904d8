'use client'

import { use, useState } from 'react'
import { CopyButton } from '@/components/ui/copy-button'
import { downloadBlob } from '@/components/ui/download-blob'
import { ForeignText } from '@/components/ui/foreign-text'
import { TextButton } from '@/components/ui/text-button'
import { visibleText } from '@/lib/base/foreign-text/foreign-text'
import { t } from '@/lib/i18n/t'
import { nameOfCode } from './name-of-code'
import { KeepCode, RunCode } from './keep-code'

export interface CodeHeadProps {
  readonly language: string
  readonly meta: string | null
  readonly text: string
  readonly growing: boolean
  readonly wraps: boolean
  readonly onWrap: () => void
}

/** What can be done with a block of code. It stays at hand in a block that is longer than the window. */
export function CodeHead({ language, meta, text, growing, wraps, onWrap }: CodeHeadProps) {
  const keep = use(KeepCode)
  const run = use(RunCode)
  const [keeps, setKeeps] = useState(false)
  const name = nameOfCode({ language, meta, text })
  const download = () => downloadBlob(name, new Blob([text], { type: 'text/plain;charset=utf-8' }))
  return (
    <>
      <figcaption className="sticky top-0 z-above flex min-h-8 flex-wrap items-center gap-x-3 border-b border-line bg-code px-3.5 text-sm text-code-muted">
        <span className="me-auto">{language === '' ? t('reading.code.text') : <ForeignText text={language} />}</span>
        <TextButton
          aria-pressed={wraps}
          aria-label={t('reading.code.wrap-lines')}
          className={wraps ? 'text-text' : undefined}
          onClick={onWrap}
        >
          {t('reading.code.wrap')}
        </TextButton>
        {/* Half of a file is none. */}
        {growing ? null : (
          <>
            {run && isPage(language) ? (
              <TextButton aria-label={t('reading.code.run-page')} onClick={() => run({ name, text })}>
                {t('reading.code.run')}
              </TextButton>
            ) : null}
            {keep ? (
              <TextButton aria-expanded={keeps} aria-label={t('reading.code.save-as')} onClick={() => setKeeps(!keeps)}>
                {t('reading.code.save')}
              </TextButton>
            ) : null}
            <TextButton
              aria-label={t('reading.code.download-as', { name: visibleText(name, 'name') })}
              onClick={download}
            >
              {t('reading.code.download')}
            </TextButton>
          </>
        )}
        <CopyButton text={() => text} />
      </figcaption>
      {keep && keeps ? keep({ name, text, onClose: () => setKeeps(false) }) : null}
    </>
  )
}

const isPage = (language: string): boolean => /^html?(?::|$)/i.test(language)
