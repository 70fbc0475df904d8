'use client'

import { asUntrusted, labelOf } from '@/lib/base/untrusted-text/foreign'
import { formatMoment } from '@/lib/base/text/locale'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { useState } from 'react'
import { Button } from '@/components/ui/controls/button'
import { row } from '@/components/ui/recipes/surface'
import { fileKindLabel } from '@/lib/i18n/labels'
import { t } from '@/lib/i18n/t'
import { FileBar, FileNotice } from './file-bar'

export interface HexLine {
  /** The offset of its first byte, as eight hexadecimal digits. */
  readonly offset: string
  /** Up to 16 bytes as `48 65 6c …`. */
  readonly hex: string
  /** The same as ASCII; a dot for unprintable bytes. */
  readonly text: string
}

const bytesPerLine = 16

/** Bytes `from` to `to` as lines of a hex view. */
export function hexLines(data: Uint8Array, from: number, to: number): readonly HexLine[] {
  const lines: HexLine[] = []
  for (let at = from; at < Math.min(to, data.byteLength); at += bytesPerLine) {
    const bytes = [...data.subarray(at, Math.min(at + bytesPerLine, to))]
    lines.push({
      offset: at.toString(16).padStart(8, '0'),
      hex: bytes.map((byte) => byte.toString(16).padStart(2, '0')).join(' '),
      text: bytes.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')).join(''),
    })
  }
  return lines
}

export interface BinaryViewProps {
  readonly path: string
  readonly data: Uint8Array
  readonly words: string
  readonly modifiedAt: number
}

const maxBytes = 64 * 1024
const pageBytes = 4 * 1024

/** A file that can't be shown: its facts and first bytes. */
export default function BinaryView({ path, data, words, modifiedAt }: BinaryViewProps) {
  const [page, setPage] = useState(0)
  const shown = Math.min(data.byteLength, maxBytes)
  const pages = Math.max(1, Math.ceil(shown / pageBytes))
  const from = Math.min(page, pages - 1) * pageBytes
  const to = Math.min(from + pageBytes, shown)
  const lines = hexLines(data, from, to).map(({ offset, hex, text }) => `${offset}  ${hex.padEnd(47)}  ${text}`)
  return (
    <div>
      <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-1 px-3 pt-3 text-sm [&_dt]:text-muted">
        <dt>{t('files-viewer.kind')}</dt>
        <dd>
          <SentenceText text={fileKindLabel(words)} />
        </dd>
        <dt>{t('files-viewer.size')}</dt>
        <dd className="tabular-nums">
          {t('files-viewer.size-bytes', { size: data.byteLength, count: data.byteLength })}
        </dd>
        <dt>{t('files-viewer.changed')}</dt>
        <dd>{formatMoment(modifiedAt)}</dd>
      </dl>
      <FileNotice tone="quiet">{t('files-viewer.not-shown')}</FileNotice>
      <pre
        className="overflow-x-auto bg-code px-3.5 py-3 font-mono text-[0.6875rem]/5 text-code-text"
        tabIndex={0}
        role="group"
        aria-label={labelOf(t('files-viewer.bytes-of', { path: asUntrusted(path) }))}
      >
        {lines.join('\n')}
      </pre>
      {pages > 1 ? (
        <FileBar
          facts={
            data.byteLength > maxBytes
              ? t('files-viewer.bytes-from-first', { from, to, most: maxBytes })
              : t('files-viewer.bytes-from', { from, to })
          }
        >
          <span className={row()}>
            <Button disabled={from === 0} onClick={() => setPage(page - 1)}>
              {t('files-viewer.previous')}
            </Button>
            <Button disabled={page >= pages - 1} onClick={() => setPage(page + 1)}>
              {t('files-viewer.next')}
            </Button>
          </span>
        </FileBar>
      ) : null}
    </div>
  )
}
