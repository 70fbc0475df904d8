'use client'

import { useMemo, useRef, useState } from 'react'
import { addToMessage } from '@/components/context/attach-to-message'
import { useClientStore, useConversation } from '@/components/context/chat-context'
import { Button, IconButton } from '@/components/ui/controls/button'
import { downloadBlob } from '@/components/ui/data/download-blob'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { SegmentedControl } from '@/components/ui/forms/segmented-control'
import { nameOf } from '@/lib/vfs/path'
import type { Vfs } from '@/lib/vfs/vfs'
import type { ChangeSet } from '@/lib/vfs/vfs-history'
import { t } from '@/lib/i18n/t'
import type { ArtifactKind } from '@/lib/client/files/artifact/artifact-kind'
import {
  quoteOfConsole,
  quoteAt,
  quoteOfText,
  linesOfSelection,
  type QuotedText,
} from '@/lib/client/files/artifact/quote'
import { changedSinceVersion, restoringChanges } from '@/lib/client/files/artifact/versions'
import { fileBody, fileFrame } from '../viewer/use-stored-file'
import { FileNotice, Opening } from '../viewer/file-bar'
import { useFullPage } from '../viewer/page-view'
import { ArtifactBody, ArtifactSource, CompareVersions, ArtifactHead, VersionBar } from './artifact-body'
import { RunPage } from './run-page'
import { useVersion } from './use-version'
import { asUntrusted, labelOf } from '@/lib/base/untrusted-text/foreign'
import { visibleText } from '@/lib/base/untrusted-text/foreign-text'
import { type PageTrail, type ArtifactRun, usePageLinks } from './use-page-frame'

const nameAt = ({ path, query, hash }: PageTrail['at']): string =>
  visibleText(`${nameOf(path)}${query}${hash}`.slice(0, 80), 'name')

/** Back and Forward through the visited pages; nothing before the first link. */
function TrailButtons({ trail: { before, after, back, forward } }: { readonly trail: PageTrail }) {
  if (before === null && after === null) return null
  return (
    <span className="flex">
      <IconButton
        icon="left"
        label={before ? labelOf(t('artifact.back', { name: asUntrusted(nameAt(before)) })) : t('artifact.no-back')}
        className="narrow:size-touch"
        disabled={before === null}
        onClick={back}
      />
      <IconButton
        icon="right"
        label={after ? labelOf(t('artifact.forward', { name: asUntrusted(nameAt(after)) })) : t('artifact.no-forward')}
        className="narrow:size-touch"
        disabled={after === null}
        onClick={forward}
      />
    </span>
  )
}

export interface ArtifactProps {
  readonly vfs: Vfs
  readonly sets: readonly ChangeSet[]
  readonly path: string
  readonly kind: ArtifactKind
  readonly text: string
  /** A sentence about the file: that it was deleted, or is not saved yet. */
  readonly status: string | null
  readonly run: ArtifactRun
  readonly onFiles: () => void
  readonly onClose: () => void
  /** Called before text goes into the message field: closes what covers the field. */
  readonly onAsk: () => void
}

type Appearance = 'view' | 'source' | 'compare'

/**
 * A file that a model made, beside the chat: its current or an earlier version, run or read, with a way to ask about it
 * in the chat.
 */
export function Artifact({ vfs, sets, path, kind, text, status, run, onFiles, onClose, onAsk }: ArtifactProps) {
  const [look, setLook] = useState<Appearance>('view')
  const { mayRun, trail } = run
  const [turn, setTurn] = useState(0)
  const [picking, setPicking] = useState(false)
  const [notice, setNotice] = useState<string | null>(null)
  const whole = useRef<HTMLDivElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const [wanted, setWanted] = useState<readonly string[]>(none)
  const used = useUsed(kind, vfs, path, text, wanted)
  const version = useVersion(vfs, sets, { path, text, used })
  const messageId = useConversation((view) => view.path.at(-1)?.id ?? null)
  const store = useClientStore()
  const shownLook: Appearance = look === 'compare' && !version.isOld ? 'view' : look
  const shownText = version.text
  const page = useFullPage(version.files, path, kind === 'page' ? (shownText ?? '') : '', 'run')
  const isRun = kind === 'page' && (mayRun || page?.hasScripts === false)

  const ask = (words: string) => {
    setPicking(false)
    setNotice(t('artifact.ask.done'))
    onAsk()
    addToMessage(store.getState(), words)
  }
  const askHere = () => {
    if (isRun && shownLook === 'view' && !picking) {
      setNotice(t('artifact.ask.how'))
      setPicking(true)
    } else if (picking) {
      setPicking(false)
      setNotice(null)
    } else ask(quoteOfText(path, selectedLocation(body.current, shownText ?? '')))
  }
  const links = usePageLinks({ vfs: version.files, path, base: page?.base ?? path, run, onSay: setNotice })
  const restore = async () => {
    const paths = new Set([path, ...used, ...(page?.used ?? [])])
    const changed = await changedSinceVersion(version.files, vfs, paths)
    if (changed.length === 0) return t('artifact.same')
    const files = vfs.recording({ kind: 'user', action: 'restored', messageId })
    const done = await files.apply(restoringChanges(changed))
    if (!done.ok) return t('artifact.not-restored', { why: done.error.message })
    version.show(version.versions.length - 1)
    return t('artifact.restored', { number: version.index + 1 })
  }
  const options: readonly Appearance[] = version.isOld ? ['view', 'source', 'compare'] : ['view', 'source']
  const comparedPaths = useMemo(() => [...new Set([path, ...used])], [path, used])
  return (
    <div className={fileFrame} ref={whole}>
      <ArtifactHead
        path={path}
        onFiles={onFiles}
        onClose={onClose}
        on={{
          reload: () => setTurn(turn + 1),
          full: () => {
            const asked = document.fullscreenElement ? document.exitFullscreen() : whole.current?.requestFullscreen?.()
            if (asked) asked.catch(() => setNotice(t('artifact.no-full')))
            else setNotice(t('artifact.no-full'))
          },
          download: () =>
            downloadBlob(nameOf(path), new Blob([shownText ?? text], { type: 'text/plain;charset=utf-8' })),
        }}
      >
        <TrailButtons trail={trail} />
        <SegmentedControl
          label={t('artifact.how')}
          value={shownLook}
          options={options.map((value) => ({ value, label: t(`artifact.${value}`) }))}
          onChange={setLook}
        />
        <Button
          className="ms-auto"
          aria-pressed={picking}
          // A press would clear the selection that it is about.
          onPointerDown={(event) => event.preventDefault()}
          data-tip={isRun ? undefined : t('artifact.ask.select')}
          onClick={askHere}
        >
          {t('artifact.ask')}
        </Button>
        {kind === 'page' && page && !isRun ? (
          <Button look="go" onClick={run.allow}>
            {t('artifact.run')}
          </Button>
        ) : null}
      </ArtifactHead>
      <VersionBar
        versions={version.versions}
        index={version.index}
        onShow={version.show}
        onRestore={() => void restore().then(setNotice, () => setNotice(t('artifact.same')))}
      />
      {status === null ? null : <FileNotice role="status">{status}</FileNotice>}
      {notice === null ? null : (
        <FileNotice role="status" tone="quiet">
          <SentenceText text={notice} />
        </FileNotice>
      )}
      <div className={fileBody} ref={body}>
        {shownText === null || (isRun && page === null) ? (
          <Opening what={t('artifact.loading')} />
        ) : shownLook === 'source' ? (
          <ArtifactSource path={path} text={shownText} />
        ) : shownLook === 'compare' ? (
          <CompareVersions before={version.files} now={vfs} paths={comparedPaths} number={version.index + 1} />
        ) : isRun && page ? (
          <RunPage
            key={`${turn} ${trail.at.query} ${page.html}`}
            path={path}
            visit={{ at: trail.at, step: trail.step, scrolls: run.scrolls }}
            page={page}
            picking={picking}
            mayHang={run.mayHang}
            onMayHang={run.allowHang}
            links={links}
            onAsked={(file) => setWanted((known) => (known.includes(file) ? known : [...known, file]))}
            onPicked={(place) => {
              if (place) return ask(quoteAt(path, place))
              setPicking(false)
              setNotice(null)
            }}
            onSend={(lines) => ask(quoteOfConsole(path, lines))}
          />
        ) : (
          <ArtifactBody key={turn} path={path} kind={kind} files={version.files} text={shownText} />
        )}
      </div>
    </div>
  )
}

const none: readonly string[] = []

/** The files that a page currently uses, including those it requested; the same array while they are the same. */
function useUsed(
  kind: ArtifactKind,
  vfs: Vfs,
  path: string,
  text: string,
  asked: readonly string[],
): readonly string[] {
  const page = useFullPage(vfs, path, kind === 'page' ? text : '', 'listed')
  const key = kind === 'page' && page ? [...new Set([...page.used, ...asked])].join('\n') : ''
  return useMemo(() => (key === '' ? none : key.split('\n')), [key])
}

/** The text selected inside `box`, with its lines in `source` if they can be determined. */
function selectedLocation(box: HTMLElement | null, source: string): QuotedText {
  const selection = window.getSelection()
  const nothing: QuotedText = { lines: null, text: '' }
  if (!box || !selection || selection.isCollapsed || selection.rangeCount === 0) return nothing
  const range = selection.getRangeAt(0)
  if (!box.contains(range.commonAncestorContainer)) return nothing
  const text = String(selection)
  return { lines: numberedLines(range) ?? linesOfSelection(source, text), text: withoutNumbers(range, text) }
}

/** Code with line numbers has the lines in its markup. */
function numberedLines(range: Range): QuotedText['lines'] {
  const [first, last] = [lineAt(range.startContainer), lineAt(range.endContainer)]
  return first === null || last === null ? null : [first, last]
}

function lineAt(node: Node): number | null {
  const element = node instanceof Element ? node : node.parentElement
  const number = Number(element?.closest('[data-line]')?.querySelector('[data-number]')?.textContent ?? '')
  return Number.isInteger(number) && number > 0 ? number : null
}

/** The selected code without the line numbers, which browsers may include. */
function withoutNumbers(range: Range, text: string): string {
  if (numberedLines(range) === null) return text
  const copy = range.cloneContents()
  const rows = [...copy.querySelectorAll('[data-line]')]
  if (rows.length === 0) return text
  return rows.map((row) => row.lastElementChild?.textContent ?? '').join('\n')
}
