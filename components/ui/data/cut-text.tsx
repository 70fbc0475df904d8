'use client'

import { t } from '@/lib/i18n/t'
import { CodeBlock } from '../code/code-block'
import { downloadBlob } from './download-blob'
import { drawableText } from '../text/drawable-text'
import { shownDo } from '../recipes/surface'
import { TextButton } from '../controls/button'

/** A text that a run displayed, as far as it can be laid out; the whole of it is a file away. */
export function CutText({ label, text, language }: { label: string; text: string; language?: string }) {
  const drawn = drawableText(text)
  return (
    <>
      <CodeBlock label={label} text={drawn} numbered={false} {...(language !== undefined && { language })} />
      {drawn === text ? null : (
        <p data-shown="" className={shownDo()}>
          <TextButton onClick={() => downloadBlob(`${label}.txt`, new Blob([text], { type: 'text/plain' }))}>
            {t('view.whole-text')}
          </TextButton>
        </p>
      )}
    </>
  )
}
