'use client'

import { wallClock } from '@/lib/base/clocks'
import { asUntrusted, labelOf } from '@/lib/base/untrusted-text/foreign'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { recipe } from '@/components/ui/recipes/recipe'
import { createPortal } from 'react-dom'
import {
  useCallback,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
  type ReactNode,
  useLayoutEffect,
  type KeyboardEvent,
  type PointerEvent,
} from 'react'
import { Button } from '@/components/ui/controls/button'
import type { OpenFileRequest } from '@/components/context/show-in-page'
import { Dialog } from '@/components/ui/popups/dialog'
import { lazyPart } from '@/components/ui/page/lazy-part'
import { t } from '@/lib/i18n/t'
import { Wait } from '@/components/ui/page/wait'
import { Explorer } from './explorer/explorer'
import { PanelHead, PanelState } from './explorer/panel-bars'
import { useWorkspace } from './explorer/use-explorer'
import { localStorageOrNull } from '@/lib/base/features.browser'

const MIN_REM = 20
const MAX_REM = 40
const FIRST_REM = 25
const stored = 'nod:panel-rem'

const within = (rem: number): number => Math.min(MAX_REM, Math.max(MIN_REM, Math.round(rem * 4) / 4))

/** The divider between thread and panel: moved by drag or keys; the browser remembers its position. */
export function PanelEdge() {
  const [rem, setRem] = useState(readWidth)
  useLayoutEffect(() => {
    // The thread keeps half of a smaller screen, whatever width was stored on a larger one.
    if (rem === null) return
    document.documentElement.style.setProperty('--panel', `min(${rem}rem, 45vw)`)
  }, [rem])
  const change = (next: number) => {
    const width = within(next)
    setRem(width)
    keepWidth(width)
  }
  const current = rem ?? FIRST_REM
  const onKeyDown = (event: KeyboardEvent) => {
    const wanted = { ArrowLeft: current + 1, ArrowRight: current - 1, Home: MIN_REM, End: MAX_REM }[event.key]
    if (wanted === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    change(wanted)
  }
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
    change((window.innerWidth - event.clientX) / remPixels())
  }
  return (
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={t('files-panel.width')}
      aria-valuemin={MIN_REM}
      aria-valuemax={MAX_REM}
      aria-valuenow={current}
      aria-valuetext={t('files-panel.width-rem', { rem: current })}
      tabIndex={0}
      className="absolute inset-y-0 -start-[3px] z-above w-[7px] cursor-col-resize touch-none hover:bg-line-strong active:bg-line-strong"
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        if (event.button === 0) event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerMove={onPointerMove}
    />
  )
}

const remPixels = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16

/** Null if it was never moved; the default width applies. */
function readWidth(): number | null {
  try {
    const rem = Number(localStorageOrNull()?.getItem(stored) ?? 'none')
    return Number.isFinite(rem) ? within(rem) : null
  } catch {
    return null
  }
}

function keepWidth(rem: number): void {
  try {
    localStorageOrNull()?.setItem(stored, String(rem))
  } catch {
    // Without storage, the default width applies.
  }
}

export interface WorkspacePanelProps {
  readonly conversationId: string
  /** Opened by key: the tree takes the focus. */
  readonly focus?: boolean
  /** A file requested from elsewhere; each request is a new object. */
  readonly file?: OpenFileRequest | null
  readonly onClose: () => void
}

const ArtifactPanel = lazyPart(() => import('./artifact/artifact-panel'), {
  what: () => t('artifact.part'),
  loading: () => <PanelState>{t('artifact.loading')}</PanelState>,
  close: ({ onFiles }) => onFiles,
})

const narrow = '(max-width: 52rem)'
/** The focus before the panel changes its place. */
let focusedBefore: HTMLElement | null = null
const subscribe = (changed: () => void) => {
  const query = window.matchMedia?.(narrow)
  const change = () => {
    focusedBefore = document.activeElement instanceof HTMLElement ? document.activeElement : null
    changed()
  }
  query?.addEventListener('change', change)
  return () => query?.removeEventListener('change', change)
}
const isNarrow = () => window.matchMedia?.(narrow).matches ?? false

/**
 * The files of the conversation: tree, one open file, changes, usage. Beside the thread, or a sheet over it on a phone.
 */
export default function WorkspacePanel(props: WorkspacePanelProps) {
  const sheet = useSyncExternalStore(subscribe, isNarrow, () => false)
  const { host, place } = useMoving()
  const { file = null, conversationId, onClose } = props
  const [, drawAgain] = useState(0)
  const beside = file?.beside && !left.has(file) ? { ...file, ...file.beside, request: file } : null
  const leave = () => {
    if (file) left.add(file)
    drawAgain((times) => times + 1)
  }
  const panel = beside ? (
    <SiblingConversation name={beside.path} edge={!sheet}>
      <ArtifactPanel
        // A Run press on a file that is already shown starts it again.
        key={`${beside.path} ${beside.run} ${beside.text === undefined}`}
        conversationId={conversationId}
        request={beside.request}
        onFiles={leave}
        onClose={() => {
          leave()
          onClose()
        }}
        onAsk={sheet ? onClose : nothing}
      />
    </SiblingConversation>
  ) : (
    <Panel {...props} file={file?.beside ? null : file} edge={!sheet} />
  )
  const slot = <div ref={place} className="contents" />
  return (
    <>
      {sheet ? (
        <Dialog look="drawer" label={beside ? besideName(beside.path) : t('files-panel.label')} onClose={onClose}>
          {slot}
        </Dialog>
      ) : (
        slot
      )}
      {createPortal(panel, host)}
    </>
  )
}

/**
 * An element that moves between two places of the page, so that what is in it stays as it is: a phone that is turned
 * must not close the file that is being edited. `place`: the ref of the element that holds it.
 */
function useMoving() {
  const [host] = useState(() => {
    const element = document.createElement('div')
    element.className = 'contents'
    return element
  })
  const place = useCallback(
    (slot: HTMLElement | null) => {
      slot?.append(host)
      const focused = focusedBefore
      if (focused === null) return
      focusedBefore = null
      // A sheet that opens now covers the dialogs over the page, and takes the focus.
      queueMicrotask(() => {
        const sheet = host.closest('dialog')
        for (const dialog of document.querySelectorAll<HTMLDialogElement>('dialog[open]')) {
          if (sheet === null || dialog === sheet) continue
          dialog.close()
          dialog.showModal()
        }
        focused.focus()
      })
    },
    [host],
  )
  return { host, place }
}

/** Closed requests stay closed until something is requested again: the panel then opens with its files. */
const left = new WeakSet<OpenFileRequest>()

const nothing = () => {}
const besideName = (path: string): string => labelOf(t('artifact.label', { name: asUntrusted(path) }))

/** The container of an artifact beside the chat, at the workspace's position. */
function SiblingConversation({
  name,
  edge,
  children,
}: {
  readonly name: string
  readonly edge: boolean
  readonly children: ReactNode
}) {
  return (
    <aside className={panelPlace({ edge })} aria-label={besideName(name)}>
      {edge ? <PanelEdge /> : null}
      {children}
    </aside>
  )
}

const panelPlace = recipe('relative flex min-w-0 flex-col bg-raised', {
  // A sheet takes the height that the window leaves.
  edge: { on: 'h-dvh border-s border-line', default: 'h-full overflow-hidden' },
})

interface PanelProps extends WorkspacePanelProps {
  /** It is beside the thread, and its width can be changed. */
  readonly edge?: boolean
}

function Panel({ conversationId, focus = false, file = null, onClose, edge = false }: PanelProps) {
  const [openedAt] = useState(wallClock)
  const workspace = useWorkspace(conversationId)
  const panel = useRef<HTMLElement>(null)
  const ready = workspace.phase === 'ready'
  useEffect(() => {
    if (!focus) return
    const first = panel.current?.querySelector<HTMLElement>(ready ? '[role=tree], [data-first]' : 'h2')
    first?.focus()
  }, [focus, ready])
  return (
    <aside ref={panel} className={panelPlace({ edge })} aria-label={t('files-panel.label')}>
      {edge ? <PanelEdge /> : null}
      {workspace.phase === 'ready' ? (
        <Explorer
          conversationId={conversationId}
          files={workspace.files}
          openedAt={openedAt}
          wanted={file}
          onClose={onClose}
        />
      ) : (
        <>
          <PanelHead files={null} onClose={onClose} />
          {workspace.phase === 'loading' ? (
            <Wait className="p-4" what={t('wait.files')} />
          ) : (
            <PanelState>
              <p role="alert">
                <SentenceText text={t('files-panel.unreadable', { why: workspace.message })} />
              </p>
              <Button onClick={workspace.retry}>{t('files-panel.again')}</Button>
            </PanelState>
          )}
        </>
      )}
    </aside>
  )
}
