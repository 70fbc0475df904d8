'use client'

import { asUntrusted, labelOf } from '@/lib/base/untrusted-text/foreign'
import { useMemo, useState } from 'react'
import { ForeignMarkup } from '@/components/ui/foreign/sealed-frame'
import { t } from '@/lib/i18n/t'
import { FileBar } from './file-bar'

/** An SVG file as a picture, isolated from the page: nothing in it runs or loads. */
export default function SvgView({ path, text }: { path: string; text: string }) {
  const [size, setSize] = useState<{ readonly width: number; readonly height: number } | null>(null)
  const markup = useMemo(() => ({ kind: 'svg', text }) as const, [text])
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <FileBar facts={size === null ? '' : t('files-viewer.pixels', size)} />
      <ForeignMarkup
        label={labelOf(t('files-viewer.picture', { path: asUntrusted(path) }))}
        markup={markup}
        height="fill"
        onSize={setSize}
      />
    </div>
  )
}
