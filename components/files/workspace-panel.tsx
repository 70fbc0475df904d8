'use client'

import { SaidText } from '@/components/ui/foreign-text'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Explorer } from './explorer/explorer'
import { PanelHead } from './explorer/panel-head'
import { PanelState } from './explorer/panel-state'
import { useWorkspace } from './explorer/use-workspace'
import { PanelEdge } from './panel-edge'

export interface WorkspacePanelProps {
  readonly conversationId: string
  /** Opened by its key: the tree then takes the focus. */
  readonly focus?: boolean
  /** A file that was asked for elsewhere; another object asks again. */
  readonly file?: { readonly path: string } | null
  readonly onClose: () => void
}

const narrow = '(max-width: 52rem)'
const subscribe = (changed: () => void) => {
  const query = window.matchMedia?.(narrow)
  query?.addEventListener('change', changed)
  return () => query?.removeEventListener('change', changed)
}
const isNarrow = () => window.matchMedia?.(narrow).matches ?? false

/** The files of the conversation: tree, one open file, changes, usage. Beside the thread, or a sheet over it on a phone. */
export default function WorkspacePanel(props: WorkspacePanelProps) {
  const sheet = useSyncExternalStore(subscribe, isNarrow, () => false)
  if (!sheet) return <Panel {...props} edge />
  return (
    <Dialog look="drawer" label="Workspace" onClose={props.onClose}>
      <Panel {...props} />
    </Dialog>
  )
}

interface PanelProps extends WorkspacePanelProps {
  /** It stands beside the thread, and can be made wider. */
  readonly edge?: boolean
}

function Panel({ conversationId, focus = false, file = null, onClose, edge = false }: PanelProps) {
  const [openedAt] = useState(() => Date.now())
  const workspace = useWorkspace(conversationId)
  const panel = useRef<HTMLElement>(null)
  const ready = workspace.phase === 'ready'
  useEffect(() => {
    if (!focus) return
    const first = panel.current?.querySelector<HTMLElement>(ready ? '[role=tree], [data-first]' : 'h2')
    first?.focus()
  }, [focus, ready])
  return (
    <aside
      ref={panel}
      className={`relative flex h-dvh min-w-0 flex-col bg-raised ${edge ? 'border-s border-line' : 'overflow-hidden'}`}
      aria-label="Workspace"
    >
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
            <PanelState role="status">
              <span className="text-muted">Looking at the files …</span>
            </PanelState>
          ) : (
            <PanelState>
              <p role="alert">
                The files can’t be read. <SaidText text={workspace.message} />
              </p>
              <Button onClick={workspace.retry}>Try again</Button>
            </PanelState>
          )}
        </>
      )}
    </aside>
  )
}
