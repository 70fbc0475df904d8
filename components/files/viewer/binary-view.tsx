'use client'

import { SaidText } from '@/components/ui/foreign-text'
import { visibleText } from '@/lib/base/foreign-text/foreign-text'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { formatBytes } from '@/lib/base/format-bytes'
import { hexLines } from '@/lib/workspace/view/hex-lines'

export interface BinaryViewProps {
  readonly path: string
  readonly data: Uint8Array
  readonly words: string
  readonly modifiedAt: number
}

const mostBytes = 64 * 1024
const pageBytes = 4 * 1024

/** What is known of a file that can't be shown, and its first bytes. */
export default function BinaryView({ path, data, words, modifiedAt }: BinaryViewProps) {
  const [page, setPage] = useState(0)
  const shown = Math.min(data.byteLength, mostBytes)
  const pages = Math.max(1, Math.ceil(shown / pageBytes))
  const from = Math.min(page, pages - 1) * pageBytes
  const to = Math.min(from + pageBytes, shown)
  const lines = hexLines(data, from, to).map(({ offset, hex, text }) => `${offset}  ${hex.padEnd(47)}  ${text}`)
  return (
    <div className="binary-view">
      <dl className="binary-facts">
        <dt>Kind</dt>
        <dd>
          <SaidText text={words} />
        </dd>
        <dt>Size</dt>
        <dd className="num">
          {formatBytes(data.byteLength)} ({data.byteLength.toLocaleString('en-US')} bytes)
        </dd>
        <dt>Changed</dt>
        <dd>{new Date(modifiedAt).toLocaleString()}</dd>
      </dl>
      <p className="file-say muted">This kind of file can’t be shown here. Download it to open it. Its bytes:</p>
      <pre className="code pad hex" tabIndex={0} role="group" aria-label={visibleText(`Bytes of ${path}`, 'name')}>
        {lines.join('\n')}
      </pre>
      {pages > 1 ? (
        <div className="file-bar">
          <span className="muted small num">
            Bytes {from.toLocaleString('en-US')} to {to.toLocaleString('en-US')}
            {data.byteLength > mostBytes ? ` of the first ${mostBytes.toLocaleString('en-US')}` : ''}
          </span>
          <span className="file-controls">
            <Button disabled={from === 0} onClick={() => setPage(page - 1)}>
              Previous
            </Button>
            <Button disabled={page >= pages - 1} onClick={() => setPage(page + 1)}>
              Next
            </Button>
          </span>
        </div>
      ) : null}
    </div>
  )
}
