'use client'

import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { ForeignText } from '@/components/ui/foreign-text'
import { t } from '@/lib/i18n/t'
import type { WholePage } from '@/lib/workspace/page/inline-page'
import type { PageLine, PagePlace } from '@/lib/workspace/page/page-says'
import { FileBar } from '../viewer/file-bar'
import { FileSay } from '../viewer/file-say'
import { MissingNeeds } from '../viewer/page-needs'
import { PageConsole } from './page-console'
import { PageFrame } from './page-frame'
import { patienceMs, type PageEnd, type PageVisit } from './use-page-frame'
import type { FollowedLinks } from './use-page-links'
import { usePageLines } from './use-page-lines'

/** Of a title, so much is shown. */
const maxTitle = 120

export interface RunPageProps {
  readonly path: string
  readonly page: WholePage
  readonly visit: PageVisit
  readonly picking: boolean
  /** Somebody knows that this browser may hang with a page that never stops. */
  readonly mayHang: boolean
  readonly onMayHang: () => void
  readonly onPicked: (place: PagePlace | null) => void
  readonly links: FollowedLinks
  /** A file that its scripts asked for. */
  readonly onAsked: (path: string) => void
  readonly onSend: (lines: readonly PageLine[]) => void
}

/** One run of a page: its frame, what it lacks, what it prints, and what is said when it is over. */
export function RunPage({ path, page, visit, links, picking, mayHang, ...on }: RunPageProps) {
  const [turn, setTurn] = useState(0)
  const [over, setOver] = useState<PageEnd | 'stopped' | null>(null)
  const [isNotApart, setNotApart] = useState(false)
  const printed = usePageLines()
  const again = () => {
    setOver(null)
    printed.clear()
    setTurn(turn + 1)
  }
  const isWaiting = isNotApart && !mayHang
  return (
    <>
      <FileBar
        facts={
          <>
            {page.title === '' ? null : (
              <strong className="block font-strong text-ink wrap-anywhere">
                <ForeignText text={page.title.slice(0, maxTitle)} />
              </strong>
            )}
            {t(page.hasScripts ? 'artifact.sealed' : 'artifact.plain')}
          </>
        }
      >
        {over === null && page.hasScripts && !isWaiting ? (
          <Button onClick={() => setOver('stopped')}>{t('artifact.stop')}</Button>
        ) : null}
      </FileBar>
      <MissingNeeds {...page} />
      {over !== null ? (
        <div className="min-h-0 flex-1">
          <FileSay role="status">{endWords(over)}</FileSay>
          <Button className="ms-3" onClick={again}>
            {t('artifact.run-again')}
          </Button>
        </div>
      ) : isWaiting ? (
        <div className="min-h-0 flex-1">
          <FileSay role="alert">{t('artifact.not-apart')}</FileSay>
          <Button className="ms-3" onClick={on.onMayHang}>
            {t('artifact.run-anyway')}
          </Button>
        </div>
      ) : (
        <PageFrame
          key={turn}
          label={path}
          page={page}
          visit={visit}
          // Without scripts there is nothing that could hang it.
          mayHang={mayHang || !page.hasScripts}
          picking={picking}
          onNotApart={() => setNotApart(true)}
          onEnd={setOver}
          onStale={again}
          onSays={(says) => {
            if (says.kind === 'picked') on.onPicked(says)
            else if (says.kind === 'pick-ended') on.onPicked(null)
            else if (says.kind === 'link' || says.kind === 'form') links[says.kind](says.address)
            else {
              if (says.kind === 'file' && page.bundle.files.has(says.path)) on.onAsked(says.path)
              printed.hear(says)
            }
          }}
        />
      )}
      <PageConsole {...printed} onSend={() => on.onSend(printed.lines)} onClear={printed.clear} />
    </>
  )
}

const endWords = (why: PageEnd | 'stopped'): string =>
  why === 'hung' ? t('artifact.ended.hung', { ms: patienceMs }) : t(`artifact.ended.${why}`)
