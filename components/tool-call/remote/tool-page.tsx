'use client'

import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { useConversation } from '@/components/context/chat-context'
import { usePageFrame, patienceMs, type PageEnd } from '@/components/files/artifact/use-page-frame'
import { Button } from '@/components/ui/controls/button'
import { Icon } from '@/components/ui/controls/icon'
import { isDark, useDark } from '@/components/ui/page/use-dark'
import { Wait } from '@/components/ui/page/wait'
import { row } from '@/components/ui/recipes/surface'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { asUntrusted, labelOf, type Foreign } from '@/lib/base/untrusted-text/foreign'
import type { FullPage } from '@/lib/client/files/page/inline-page'
import { noBundle } from '@/lib/client/files/page/page-files'
import { createPageBridge, type PageLook, type PageAction, type ShownCall } from '@/lib/client/mcp/page-bridge'
import type { ClosedPage } from '@/lib/client/mcp/tool-pages'
import { toolServers } from '@/lib/client/wiring/tools/tool-servers.browser'
import { readersLanguage } from '@/lib/base/text/languages'
import { t } from '@/lib/i18n/t'
import type { RemoteTool } from '@/lib/shared/conversation/settings/registered-tool'
import { readShownInPage } from '@/lib/shared/mcp/result-outcome'
import { defaultsOf } from '@/lib/shared/mcp/tool-page'
import { useCall } from '../scope/call-scope'
import { PageActions } from './page-actions'
import { useServerOfTool } from '../../servers/use-tool-servers'

type PageState =
  | { readonly is: 'closed' | 'opening' }
  | { readonly is: 'open'; readonly html: string }
  | { readonly is: 'refused'; readonly closed: ClosedPage }
  | { readonly is: 'ended'; readonly why: PageEnd }

/**
 * The page with which a tool shows its result (MCP Apps): sandboxed, opened by a press; each of its requests needs
 * approval.
 */
export default function ToolPage({ data }: { data: string }) {
  const { entry } = useCall()
  const remote = useConversation((view) => view.tools.find(({ name }) => name === entry.call.name)?.remote)
  const known = useServerOfTool(entry.call.name)
  const [state, setState] = useState<PageState>({ is: 'closed' })
  const [mayHang, setMayHang] = useState(false)
  const [isNotApart, setNotApart] = useState(false)
  const { call } = entry
  const approved = known?.approved.find(({ name }) => name === remote?.name)
  const shown = useMemo((): ShownCall | null => {
    const read = readShownInPage(data)
    if (!read || !remote) return null
    const defaults = defaultsOf(approved?.inputSchema ?? {})
    return { name: remote.name, args: call.arguments, defaults, result: read.result }
  }, [data, remote, call.arguments, approved])
  if (!remote || !shown) return null
  const host = asUntrusted(remote.host)
  const needs = approved?.page?.needs ?? []
  const open = async () => {
    setNotApart(false)
    setState({ is: 'opening' })
    await toolServers.load()
    const page = await toolServers.toolPage(remote.server, remote.name)
    setState(page.ok ? { is: 'open', html: page.value } : { is: 'refused', closed: page.error })
  }
  const isWaiting = isNotApart && !mayHang
  return (
    <section className="border-b border-line" aria-label={labelOf(t('servers.page.of', { host }))}>
      <div className={row({}, 'px-3.5 py-2.5 narrow:px-3')}>
        <span className="min-w-0 flex-1 text-sm text-pretty wrap-anywhere text-muted">
          <b className="block font-strong text-ink">
            <SentenceText text={t('servers.page.of', { host })} />
          </b>
          <SentenceText
            text={
              needs.length > 0 ? t('servers.page.needs', { needs: needs.map(asUntrusted) }) : t('servers.page.sealed')
            }
          />
        </span>
        {needs.length > 0 ? null : state.is === 'open' ? (
          <Button onClick={() => setState({ is: 'closed' })}>{t('servers.page.close')}</Button>
        ) : (
          <Button disabled={state.is === 'opening'} onClick={() => void open()}>
            {t(state.is === 'closed' || state.is === 'opening' ? 'servers.page.open' : 'servers.page.again')}
          </Button>
        )}
      </div>
      {state.is === 'opening' ? <Wait className="px-3.5 pb-2.5 narrow:px-3" what={t('servers.page.opening')} /> : null}
      {state.is === 'refused' ? <PageNote words={closedWords(state.closed, host)} /> : null}
      {state.is === 'ended' ? <PageNote words={replyEndText(state.why)} /> : null}
      {state.is === 'open' && isWaiting ? (
        <>
          <PageNote words={t('artifact.not-apart')} />
          <div className="px-3.5 pb-2.5 narrow:px-3">
            <Button onClick={() => setMayHang(true)}>{t('artifact.run-anyway')}</Button>
          </div>
        </>
      ) : null}
      {state.is === 'open' && !isWaiting ? (
        <OpenPage
          html={state.html}
          remote={remote}
          shown={shown}
          mayHang={mayHang}
          onNotApart={() => setNotApart(true)}
          onEnd={(why) => setState({ is: 'ended', why })}
          onClose={() => setState({ is: 'closed' })}
        />
      ) : null}
    </section>
  )
}

const PageNote = ({ words }: { words: string }) => (
  <p className="m-0 flex gap-2 px-3.5 pb-2.5 text-sm narrow:px-3" role="status">
    <Icon name="warn" className="mt-0.5 flex-none text-warn" />
    <span className="min-w-0 text-pretty wrap-anywhere">
      <SentenceText text={words} />
    </span>
  </p>
)

const closedWords = (closed: ClosedPage, host: Foreign): string =>
  closed.why === 'unread' && closed.failure.kind === 'sign-in'
    ? t('servers.page.not.sign-in', { host })
    : t(`servers.page.not.${closed.why}`, { host })

const replyEndText = (why: PageEnd): string =>
  why === 'hung'
    ? t('artifact.ended.hung', { ms: patienceMs })
    : t(why === 'left' ? 'servers.page.left' : `artifact.ended.${why}`)

const firstHeightPx = 240

interface OpenPageProps {
  readonly html: string
  readonly remote: RemoteTool
  readonly shown: ShownCall
  readonly mayHang: boolean
  readonly onNotApart: () => void
  readonly onEnd: (why: PageEnd) => void
  readonly onClose: () => void
}

/** One run of the page: its frame, and its requests below it. */
function OpenPage({ html, remote, shown, mayHang, onNotApart, onEnd, onClose }: OpenPageProps) {
  const theme = useDark() ? 'dark' : 'light'

  const bridge = useRef<ReturnType<typeof createPageBridge>>(null)
  const [requests, setRequests] = useState<readonly PageAction[]>([])
  const [heightPx, setHeightPx] = useState(firstHeightPx)
  const [refused, setRefused] = useState<string | null>(null)
  const [gotSame, setGotSame] = useState(false)
  const closed = useEffectEvent(onClose)
  const page = useMemo(() => pageOf(html), [html])
  // Fixed when opened, because the chat around it may be reloaded.
  const [opened] = useState({ shown, remote })
  const [visit] = useState(() => ({ at: { path: pagePath, query: '', hash: '' }, step: 0, scrolls: new Map() }))
  const frame = usePageFrame({
    page,
    visit,
    mayHang,
    picking: false,
    onNotApart,
    onEnd,
    onStale() {},
    onSays(says) {
      if (says.kind === 'refused') setRefused(says.address)
    },
    onMessage: (data) => bridge.current?.hear(data),
  })
  useEffect(() => {
    bridge.current = createPageBridge(opened.shown, {
      // An opaque origin can only be addressed with `*`; the window is the frame's own.
      post: (message) => frame.current?.contentWindow?.postMessage(message, '*'),
      locale: readersLanguage(),
      look: () => lookNow(isDark() ? 'dark' : 'light'),
      mayCall: (name) => toolServers.toolForPages(opened.remote.server, name) !== null,
      onActions: setRequests,
      onHeight: setHeightPx,
      onSameCall: () => setGotSame(true),
      onClose: closed,
    })
    return () => void (bridge.current = null)
  }, [frame, opened])
  useEffect(() => bridge.current?.changeLook(lookNow(theme)), [theme])
  const host = asUntrusted(remote.host)
  return (
    <>
      <iframe
        ref={frame}
        title={labelOf(t('servers.page.of', { host }))}
        // A page that knows no dark theme gets the browser's white background, because its own scheme differs.
        className="block w-full border-t border-line bg-raised"
        style={{ height: heightPx }}
        sandbox="allow-scripts allow-forms"
        referrerPolicy="no-referrer"
      />
      {gotSame ? <p className="m-0 px-3.5 pt-2.5 text-sm text-muted narrow:px-3">{t('servers.page.same')}</p> : null}
      {refused === null ? null : (
        <p className="m-0 px-3.5 pt-2.5 text-sm text-muted narrow:px-3" role="status">
          <SentenceText text={t('servers.page.blocked', { address: asUntrusted(refused) })} />
        </p>
      )}
      <PageActions
        remote={remote}
        requests={requests}
        onAnswer={(number, answer) => bridge.current?.answer(number, answer)}
      />
    </>
  )
}

/** Names of MCP Apps, and where this page has their values. */
const shownColors = {
  '--color-background-primary': '--color-raised',
  '--color-background-secondary': '--color-surface',
  '--color-background-tertiary': '--color-sunken',
  '--color-background-inverse': '--color-ink',
  '--color-background-info': '--color-accent-soft',
  '--color-background-danger': '--color-danger-soft',
  '--color-background-success': '--color-ok-soft',
  '--color-background-warning': '--color-warn-soft',
  '--color-text-primary': '--color-text',
  '--color-text-secondary': '--color-muted',
  '--color-text-inverse': '--color-on-ink',
  '--color-text-info': '--color-accent-text',
  '--color-text-danger': '--color-danger',
  '--color-text-success': '--color-ok',
  '--color-text-warning': '--color-warn',
  '--color-border-primary': '--color-line-strong',
  '--color-border-secondary': '--color-line',
  '--color-ring-primary': '--color-focus',
} as const

/** This page’s theme and its colors. */
function lookNow(theme: PageLook['theme']): PageLook {
  const probe = document.createElement('i')
  document.body.append(probe)
  const variables = Object.fromEntries(
    Object.entries(shownColors).map(([name, own]) => {
      probe.style.color = `var(${own})`
      return [name, getComputedStyle(probe).color]
    }),
  )
  probe.remove()
  return { theme, variables }
}

const pagePath = '/page.html'

/** A server's page is one text without other files. */
const pageOf = (html: string): FullPage => ({
  html,
  title: '',
  hasScripts: true,
  base: pagePath,
  bundle: noBundle,
  missing: [],
  left: [],
  remote: [],
  used: [],
})
