'use client'

import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { addToMessage } from '@/components/context/attach-to-message'
import { useClientStore, useConversation } from '@/components/context/chat-context'
import { Button } from '@/components/ui/controls/button'
import { downloadBlob, safeFileName } from '@/components/ui/data/download-blob'
import { Wait } from '@/components/ui/page/wait'
import { button } from '@/components/ui/recipes/button'
import { ForeignText, SentenceText } from '@/components/ui/text/foreign-text'
import { asUntrusted, labelOf } from '@/lib/base/untrusted-text/foreign'
import { monotonicClock } from '@/lib/base/clocks'
import { createPageCalls } from '@/lib/client/mcp/page-calls'
import type { PageFile, PageAction, PageActionAnswer } from '@/lib/client/mcp/page-bridge'
import { callKey } from '@/lib/client/state/state'
import { nodApi } from '@/lib/client/wiring/nod-api.browser'
import { toolServers } from '@/lib/client/wiring/tools/tool-servers.browser'
import { t } from '@/lib/i18n/t'
import type { RemoteTool } from '@/lib/shared/conversation/settings/registered-tool'
import { toolsOfSet } from '@/lib/shared/mcp/tools-of-set'
import { toolOfRegistered } from '@/lib/shared/tools/tool-registry'
import { CallEvidence } from '../evidence/call-evidence'
import { useCall } from '../scope/call-scope'
import { Sentence } from '../sentence'
import { cardFrame, CardFoot, Fact, footButton, footGo, Meta } from '../styles/card'

interface PageActionsProps {
  readonly remote: RemoteTool
  readonly requests: readonly PageAction[]
  readonly onAnswer: (number: number, answer: PageActionAnswer) => void
}

/** The last decision is announced. */
const MAX_PAST = 5

/** Requests of a tool's page: one card each, and nothing happens without a press. */
export function PageActions({ remote, requests, onAnswer }: PageActionsProps) {
  const calls = usePageCalls(remote)
  const [past, setPast] = useState<readonly { readonly number: number; readonly words: string }[]>([])
  const decided = (request: PageAction, answer: PageActionAnswer) => {
    if (request.kind === 'call') {
      const words = replyEndText(request.name, answer)
      setPast((before) => [...before.slice(1 - MAX_PAST), { number: request.number, words }])
    }
    onAnswer(request.number, answer)
  }
  if (requests.length === 0 && past.length === 0) return null
  return (
    <div className="grid gap-2.5 px-3.5 py-2.5 narrow:px-3">
      {past.length === 0 ? null : (
        // A list with another role is none, so its entries would have no list.
        <div className="text-sm text-muted" role="status">
          <ul>
            {past.map(({ number, words }) => (
              <li key={number} className="wrap-anywhere">
                <SentenceText text={words} />
              </li>
            ))}
          </ul>
        </div>
      )}
      {requests.map((request) => {
        const props = { remote, calls, onDecided: (answer: PageActionAnswer) => decided(request, answer) }
        if (request.kind === 'call') return <CallActionCard key={request.number} {...props} request={request} />
        if (request.kind === 'link') return <LinkActionCard key={request.number} {...props} url={request.url} />
        if (request.kind === 'file') return <FileActionCard key={request.number} {...props} file={request.file} />
        return <MessageActionCard key={request.number} {...props} text={request.text} kind={request.kind} />
      })}
    </div>
  )
}

const replyEndText = (name: string, answer: PageActionAnswer): string => {
  const tool = asUntrusted(name)
  if (answer.is !== 'called') return t('servers.page.denied', { tool })
  const { kind } = answer.answer
  if (kind === 'answered') return t('servers.page.ran', { tool })
  const isUnknown = kind === 'lost' || kind === 'timed-out' || kind === 'too-large'
  return t(isUnknown ? 'servers.page.not-known' : 'servers.page.not-run', { tool })
}

interface ActionCardProps {
  readonly remote: RemoteTool
  readonly calls: ReturnType<typeof usePageCalls>
  readonly onDecided: (answer: PageActionAnswer) => void
}

/** The calls that the page of this card asks for are stored beside the card's own. */
function usePageCalls({ server, host }: RemoteTool) {
  const store = useClientStore()
  const { messageId, entry } = useCall()
  const conversationId = useConversation((view) => view.id)
  const { slot } = entry
  return useMemo(
    () =>
      createPageCalls(
        {
          api: nodApi,
          send: (asked, options) => toolServers.callForPage(server, asked, options),
          onRecord: (call) => store.dispatch({ type: 'call-recorded', call }),
          wait: (ms) => new Promise((resolve) => void setTimeout(resolve, ms)),
          monotonic: monotonicClock,
        },
        {
          conversationId,
          host,
          record: () => store.getState().open.get(conversationId)?.calls.get(callKey(messageId, slot)),
        },
      ),
    [store, conversationId, messageId, slot, server, host],
  )
}

/** A call that a page requests: shows what leaves the browser, and Run. */
function CallActionCard({
  request,
  remote,
  calls,
  onDecided,
}: ActionCardProps & { readonly request: Extract<PageAction, { kind: 'call' }> }) {
  const [progress, setProgress] = useState<string | null>(null)
  const running = useRef<AbortController>(null)
  // Removing the page aborts its call.
  useEffect(() => () => running.current?.abort(), [])
  const tool = toolServers.toolForPages(remote.server, request.name)
  const [made] = tool
    ? toolsOfSet({ server: remote.server, host: remote.host, prefix: 'page' }, [{ ...tool, visibility: 'model' }])
    : []
  const summary = made ? toolOfRegistered(made).card.summarize(request.args) : null
  const run = async () => {
    const abort = new AbortController()
    running.current = abort
    setProgress('')
    const answer = await calls.run(request, {
      signal: abort.signal,
      onProgress: ({ message = '' }) => setProgress(message),
    })
    onDecided({ is: 'called', answer })
  }
  return (
    <ActionCard label={t('servers.page.asks', { host: asUntrusted(remote.host), tool: asUntrusted(request.name) })}>
      {summary ? <Sentence parts={summary.sentence} /> : null}
      <Meta>
        <Fact>{t('card-waiting.network', { network: 'remote' })}</Fact>
        <Fact>{t('card-waiting.asks', { always: true })}</Fact>
        <Fact>{t('servers.page.for-page')}</Fact>
      </Meta>
      <CallEvidence summary={null} args={request.args} />
      <CardFoot>
        {progress === null ? (
          <>
            <Button look="go-next" className={footGo} onClick={() => void run()}>
              {t('card.run')}
            </Button>
            <Button
              className={footButton}
              onClick={() => {
                void calls.deny(request)
                onDecided({ is: 'denied' })
              }}
            >
              {t('card.deny')}
            </Button>
          </>
        ) : (
          <>
            <Wait what={t('servers.page.running')} />
            <span className="min-w-0 flex-1 text-sm wrap-anywhere text-muted">
              <ForeignText text={progress} reading="prose" />
            </span>
            <Button className={footButton} onClick={() => running.current?.abort()}>
              {t('servers.asks.stop')}
            </Button>
          </>
        )}
      </CardFoot>
    </ActionCard>
  )
}

/** An address is shown, and opened only by the user's press. */
function LinkActionCard({ url, remote, onDecided }: ActionCardProps & { readonly url: URL }) {
  return (
    <ActionCard label={t('servers.page.link', { host: asUntrusted(remote.host) })}>
      <p className="m-0 px-3.5 font-mono text-mono wrap-anywhere narrow:px-3">
        <ForeignText text={url.href} />
      </p>
      <p className="m-0 px-3.5 pt-1 text-sm text-muted narrow:px-3">{t('servers.asks.address-why')}</p>
      <DecisionFoot onDecided={onDecided}>
        <a
          className={button({ look: 'ink' }, footGo)}
          href={url.href}
          target="_blank"
          rel="noreferrer noopener nofollow"
          onClick={() => onDecided({ is: 'done' })}
        >
          <SentenceText text={t('servers.asks.open', { host: asUntrusted(url.host) })} />
        </a>
      </DecisionFoot>
    </ActionCard>
  )
}

type TextAction = Extract<PageAction, { kind: 'message' | 'context' }>

/** Text for the message field: shown first, inserted by a press, and sent by another one. */
function MessageActionCard({ text, kind, remote, onDecided }: ActionCardProps & Pick<TextAction, 'text' | 'kind'>) {
  const store = useClientStore()
  return (
    <ActionCard label={t(`servers.page.${kind}`, { host: asUntrusted(remote.host) })}>
      <blockquote className="mx-3.5 my-1 max-h-48 overflow-y-auto border-s-2 border-line-strong ps-3 text-md whitespace-pre-line wrap-anywhere narrow:mx-3">
        <ForeignText text={text} reading="prose" />
      </blockquote>
      <DecisionFoot onDecided={onDecided}>
        <Button
          look="ink"
          className={footGo}
          onClick={() => {
            addToMessage(store.getState(), text)
            onDecided({ is: 'done' })
          }}
        >
          {t('servers.page.take')}
        </Button>
      </DecisionFoot>
    </ActionCard>
  )
}

/** A file is saved by a press only: a sandboxed page can't start a download. */
function FileActionCard({ file, remote, onDecided }: ActionCardProps & { readonly file: PageFile }) {
  const name = safeFileName(file.name)
  return (
    <ActionCard label={t('servers.page.file', { host: asUntrusted(remote.host) })}>
      <p className="m-0 px-3.5 wrap-anywhere narrow:px-3">
        <SentenceText text={t('servers.page.file-size', { name: asUntrusted(name), size: file.bytes.byteLength })} />
      </p>
      <DecisionFoot onDecided={onDecided}>
        <Button
          look="ink"
          className={footGo}
          onClick={() => {
            // As plain bytes, so that no browser opens it instead.
            downloadBlob(name, new Blob([file.bytes], { type: 'application/octet-stream' }))
            onDecided({ is: 'done' })
          }}
        >
          {t('servers.page.save')}
        </Button>
      </DecisionFoot>
    </ActionCard>
  )
}

/** What does it, and a button that refuses it. */
const DecisionFoot = ({ onDecided, children }: Pick<ActionCardProps, 'onDecided'> & { children: ReactNode }) => (
  <CardFoot>
    {children}
    <Button className={footButton} onClick={() => onDecided({ is: 'denied' })}>
      {t('servers.page.do-not')}
    </Button>
  </CardFoot>
)

const ActionCard = ({ label, children }: { label: string; children: ReactNode }) => (
  <div role="group" aria-label={labelOf(label)} className={cardFrame({ look: 'waiting' }, 'pt-2.5')}>
    <p className="m-0 px-3.5 pb-1 text-sm font-medium wrap-anywhere text-accent-text narrow:px-3">
      <SentenceText text={label} />
    </p>
    {children}
  </div>
)
