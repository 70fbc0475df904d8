'use client'

import { useState } from 'react'
import { Button, TextButton } from '@/components/ui/controls/button'
import { ForeignText } from '@/components/ui/text/foreign-text'
import { t } from '@/lib/i18n/t'
import type { FullPage } from '@/lib/client/files/page/inline-page'
import type { PageLine, PageLocation, PageMessage } from '@/lib/client/files/page/page-messages'
import { FileBar, FileNotice } from '../viewer/file-bar'
import { MissingNeeds } from '../viewer/page-view'
import {
  patienceMs,
  type PageEnd,
  type PageVisit,
  usePageFrame,
  type PageFrameOptions,
  type FollowedLinks,
} from './use-page-frame'
import { labelOf, asUntrusted } from '@/lib/base/untrusted-text/foreign'
import { pageLimits } from '@/lib/client/files/page/page-files'
import { cx, codeBox } from '@/components/ui/recipes/recipe'

const maxLines = 200

interface Printed {
  readonly lines: readonly PageLine[]
  /** The number of lines that were dropped. */
  readonly earlier: number
}

const nothing: Printed = { lines: [], earlier: 0 }

/** The last lines that a page printed. */
function usePageLines() {
  const [printed, setPrinted] = useState<Printed>(nothing)
  return {
    ...printed,
    hear(says: PageMessage) {
      const line = lineOf(says)
      if (line === null) return
      setPrinted(({ lines, earlier }) => {
        const all = [...lines, line]
        const left = Math.max(0, all.length - maxLines)
        return { lines: all.slice(left), earlier: earlier + left }
      })
    },
    clear: () => setPrinted(nothing),
  }
}

/** The console line for a message; null for none. */
function lineOf(says: PageMessage): PageLine | null {
  const warn = (text: string): PageLine => ({ level: 'warn', text: labelOf(text), place: '' })
  if (says.kind === 'line') return { level: says.level, text: says.text, place: says.place }
  if (says.kind === 'refused') return warn(t('artifact.console.refused', { address: asUntrusted(says.address) }))
  if (says.kind !== 'file' || says.what === 'used') return null
  const { path } = says
  const { files, bytes } = pageLimits
  return warn(
    says.what === 'left'
      ? t('artifact.console.left', { path: asUntrusted(path), files, bytes })
      : t(`artifact.console.${says.what}`, { path: asUntrusted(path) }),
  )
}

/** A page of the workspace running in its sealed frame. Another page or another run needs another frame (`key`). */
function PageFrame({ label, ...options }: PageFrameOptions & { readonly label: string }) {
  const frame = usePageFrame(options)
  return (
    <iframe
      ref={frame}
      title={labelOf(label)}
      className="block min-h-0 w-full flex-1 bg-paper scheme-light"
      sandbox="allow-scripts allow-forms"
      referrerPolicy="no-referrer"
    />
  )
}

/** The shown length of a title. */
const maxTitle = 120

export interface RunPageProps {
  readonly path: string
  readonly page: FullPage
  readonly visit: PageVisit
  readonly picking: boolean
  /** The user confirmed that this browser may hang with a page that never stops. */
  readonly mayHang: boolean
  readonly onMayHang: () => void
  readonly onPicked: (place: PageLocation | null) => void
  readonly links: FollowedLinks
  /** Called with each file that the page's scripts request. */
  readonly onAsked: (path: string) => void
  readonly onSend: (lines: readonly PageLine[]) => void
}

/** One run of a page: its frame, missing files, console, and why it ended. */
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
          <FileNotice role="status">{replyEndText(over)}</FileNotice>
          <Button className="ms-3" onClick={again}>
            {t('artifact.run-again')}
          </Button>
        </div>
      ) : isWaiting ? (
        <div className="min-h-0 flex-1">
          <FileNotice role="alert">{t('artifact.not-apart')}</FileNotice>
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
          // Without scripts, nothing can hang.
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

const replyEndText = (why: PageEnd | 'stopped'): string =>
  why === 'hung' ? t('artifact.ended.hung', { ms: patienceMs }) : t(`artifact.ended.${why}`)

interface PageConsoleProps {
  readonly lines: readonly PageLine[]
  /** The number of earlier lines. */
  readonly earlier: number
  readonly onSend: () => void
  readonly onClear: () => void
}

/** What a page printed, in a collapsible section below it. */
function PageConsole({ lines, earlier, onSend, onClear }: PageConsoleProps) {
  const [open, setOpen] = useState(false)
  const errors = lines.filter(({ level }) => level === 'error').length
  if (lines.length === 0) return null
  return (
    <section className="flex-none border-t border-line text-sm" aria-label={t('artifact.console')}>
      <div className="flex flex-wrap items-center gap-x-4 px-3 py-1.5">
        <TextButton className={cx(errors > 0 && 'text-danger')} aria-expanded={open} onClick={() => setOpen(!open)}>
          {t('artifact.console.lines', { lines: earlier + lines.length, errors })}
        </TextButton>
        {open ? (
          <>
            <TextButton className="ms-auto" onClick={onSend}>
              {t('artifact.console.send')}
            </TextButton>
            <TextButton onClick={onClear}>{t('artifact.console.clear')}</TextButton>
          </>
        ) : null}
      </div>
      {open ? (
        <div
          className={codeBox({ pad: 'all' }, 'max-h-48 overflow-y-auto wrap-anywhere whitespace-pre-wrap')}
          tabIndex={0}
          role="group"
          dir="ltr"
          aria-label={t('artifact.console')}
        >
          {earlier > 0 ? <p className="text-code-muted">{t('artifact.console.earlier', { count: earlier })}</p> : null}
          {lines.map(({ level, text, place }, index) => (
            <p key={earlier + index} className={cx(level !== 'log' && 'text-warn')}>
              {level === 'log' ? '' : `${level}: `}
              <ForeignText text={text} reading="code" />
              {place === '' ? null : (
                <span className="text-code-muted">
                  {' '}
                  <ForeignText text={place} />
                </span>
              )}
            </p>
          ))}
        </div>
      ) : null}
    </section>
  )
}
