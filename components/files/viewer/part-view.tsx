'use client'

import { useMemo } from 'react'
import { lazyPart } from '@/components/ui/lazy-part'
import { PlainText } from '@/components/ui/plain-text'
import { t } from '@/lib/i18n/t'
import { firstPart, readText } from '@/lib/workspace/edit/text-file'
import type { CodeLanguage } from '@/lib/workspace/kind-of-file'
import { FileSay } from './file-say'

const CodeEditor = lazyPart(() => import('./code-editor'), {
  what: () => t('files-viewer.part-editor'),
  plain: ({ text }) => <PlainText text={text} />,
})

export interface PartViewProps {
  readonly path: string
  readonly data: Uint8Array
  readonly language: CodeLanguage | null
  readonly maxBytes: number
}

/** The first part of a text that is too large to edit here. */
export function PartView({ path, data, language, maxBytes }: PartViewProps) {
  const { text, form } = useMemo(() => readText(firstPart(data, maxBytes), true), [data, maxBytes])
  return (
    <>
      <FileSay>{t('files-viewer.part-of', { size: data.byteLength, shown: maxBytes })}</FileSay>
      <CodeEditor
        path={path}
        text={text}
        lineEnd={form.lineEnd}
        language={language}
        readOnly
        onEdit={() => {}}
        onSave={() => {}}
      />
    </>
  )
}
