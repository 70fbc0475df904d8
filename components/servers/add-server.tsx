'use client'

import { defaultStrategy } from '@/lib/protocols/types/tool-context-def'
import { asUntrusted } from '@/lib/base/untrusted-text/foreign'
import { useEffect, useId, useRef, useState, type FormEvent } from 'react'
import { useConversation } from '@/components/context/chat-context'
import { Button } from '@/components/ui/controls/button'
import { CopyButton } from '@/components/ui/controls/copy-button'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { Icon } from '@/components/ui/controls/icon'
import { hint, field } from '@/components/ui/recipes/field'
import { notice, row } from '@/components/ui/recipes/surface'
import { Wait } from '@/components/ui/page/wait'
import { serverAdvice, type ServerAdvice, examineServer, type McpFinding } from '@/lib/client/mcp/doctor/examine'
import type { Listed } from '@/lib/client/mcp/tool-servers'
import { pageFacts } from '@/lib/client/wiring/models/page-facts.browser'
import { toolServers } from '@/lib/client/wiring/tools/tool-servers.browser'
import { t } from '@/lib/i18n/t'
import { hostOf } from '@/lib/shared/conversation/settings/tool-server'
import { readPasted, type PastedServer } from '@/lib/shared/mcp/read-pasted'
import { leftOutText } from './server-row'
import { SignInDialog } from './sign-in-dialog'
import { tokensOf } from './tool-to-approve'

/** A tested server that is not added yet. */
export interface TestedServer {
  readonly url: string
  readonly name: string
  readonly listed: Listed
}

type Found =
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'local-only' | 'unfilled'; readonly names: readonly string[] }
  | { readonly kind: 'finding'; readonly finding: McpFinding; readonly url: string; readonly origin: string }
  | { readonly kind: 'listed'; readonly tested: TestedServer }

interface AddServerProps {
  /** Addresses of the stored servers. */
  readonly known: readonly string[]
  /** `isOneOfMany`: more of the pasted servers can be added. */
  readonly onReview: (tested: TestedServer, isOneOfMany: boolean) => void
}

/** Pastes an address or JSON and tests each server in it; then its tools are reviewed. */
export function AddServer({ known, onReview }: AddServerProps) {
  const id = useId()
  const [typed, setTyped] = useState('')
  const [testing, setTesting] = useState(false)
  const [found, setFound] = useState<readonly Found[]>([])
  const [signsIn, setSignsIn] = useState<string | null>(null)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])

  const test = async (text: string) => {
    running.current?.abort()
    const { servers, localOnly, unfilled } = readPasted(text)
    const without: readonly Found[] = [
      ...(localOnly.length > 0 ? [{ kind: 'local-only', names: localOnly } as const] : []),
      ...(unfilled.length > 0 ? [{ kind: 'unfilled', names: unfilled } as const] : []),
    ]
    setFound(without.length + servers.length === 0 ? [{ kind: 'unreadable' }] : without)
    if (servers.length === 0) return
    const abort = new AbortController()
    running.current = abort
    setTesting(true)
    try {
      // One after the other, because the page keeps one connection to a server that is not stored.
      for (const one of servers) {
        const answer = await testServer(one, abort.signal)
        if (abort.signal.aborted) return
        setFound((before) => [...before, answer])
      }
    } catch {
      // The text has changed meanwhile.
    } finally {
      if (running.current === abort) setTesting(false)
    }
  }
  const changed = (text: string) => {
    running.current?.abort()
    setTesting(false)
    setFound([])
    setTyped(text)
  }
  // Servers added from here are in the list above.
  const open = found.filter((one) => one.kind !== 'listed' || !known.includes(one.tested.url) || found.length === 1)
  return (
    <>
      <form
        className="grid gap-3"
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          void test(typed)
        }}
      >
        <label className="grid gap-1" htmlFor={`${id}-address`}>
          {t('servers.address')}
        </label>
        <div className={row()}>
          <textarea
            id={`${id}-address`}
            className={field({}, 'min-h-10 min-w-0 flex-1 font-mono text-mono')}
            rows={Math.min(8, typed.split('\n').length)}
            autoComplete="off"
            spellCheck={false}
            aria-describedby={`${id}-hint ${id}-found`}
            value={typed}
            onChange={(event) => changed(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || typed.includes('\n'))
                return
              event.preventDefault()
              void test(typed)
            }}
          />
          <Button type="submit" disabled={testing || typed.trim() === ''}>
            {t('servers.test')}
          </Button>
        </div>
        <small className={hint()} id={`${id}-hint`}>
          {t('servers.address-hint')}
        </small>
        {testing ? <Wait what={t('servers.testing')} /> : null}
        <div aria-live="polite" id={`${id}-found`} className="grid gap-3">
          {open.map((one, at) => (
            <FoundBox
              key={at}
              found={one}
              onReview={(tested) => onReview(tested, open.filter(({ kind }) => kind === 'listed').length > 1)}
              onSignIn={setSignsIn}
              onTry={(url) => {
                changed(url)
                void test(url)
              }}
            />
          ))}
        </div>
      </form>
      {/* A separate form, because forms can't be nested. */}
      {signsIn === null ? null : (
        <SignInDialog
          url={signsIn}
          onDone={() => {
            setSignsIn(null)
            void test(typed)
          }}
          onClose={() => setSignsIn(null)}
        />
      )}
    </>
  )
}

async function testServer({ url, name }: PastedServer, signal: AbortSignal): Promise<Found> {
  return toolServers.test(url, signal, async (remote, listed): Promise<Found> => {
    if (listed.ok)
      return { kind: 'listed', tested: { url, name: name || nameOf(listed.value, url), listed: listed.value } }
    const page = await pageFacts()
    const finding: McpFinding =
      listed.failure.kind === 'sign-in' ? { found: 'sign-in' } : await examineServer(url, remote, page, signal)
    return { kind: 'finding', finding, url, origin: page.origin }
  })
}

const nameOf = ({ connected }: Listed, url: string): string =>
  connected.name.trim().slice(0, 60) || hostOf(url).slice(0, 60)

interface FoundBoxProps {
  readonly found: Found
  readonly onReview: (tested: TestedServer) => void
  readonly onSignIn: (url: string) => void
  readonly onTry: (url: string) => void
}

function FoundBox({ found, onReview, onSignIn, onTry }: FoundBoxProps) {
  const strategy = useConversation((view) => view.conversation?.settings.strategy ?? defaultStrategy)
  switch (found.kind) {
    case 'unreadable':
      return <Advice advice={{ message: t('servers.unreadable'), fixes: [] }} />
    case 'local-only':
    case 'unfilled':
      return (
        <Advice advice={{ message: t(`servers.${found.kind}`, { names: found.names.map(asUntrusted) }), fixes: [] }} />
      )
    case 'finding':
      if (found.finding.found === 'sign-in') return <SignInOffer url={found.url} onSignIn={() => onSignIn(found.url)} />
      return <Advice advice={serverAdvice(found.finding, found.url, found.origin)} onTry={onTry} />
    case 'listed': {
      const { name, listed } = found.tested
      const { version } = listed.connected
      const tokens = tokensOf(listed.tools, { server: '', host: '', prefix: 'server' }, strategy)
      return (
        <>
          <p className={notice()} role="status">
            <Icon name="ok" />
            <span className="min-w-0 flex-1 wrap-anywhere">
              <SentenceText
                text={t('servers.answers', {
                  name: asUntrusted(name),
                  count: listed.tools.length,
                  version: asUntrusted(version),
                })}
              />
            </span>
          </p>
          {listed.tools.length === 0 ? null : <p className="m-0 text-sm text-muted">{t('servers.cost', { tokens })}</p>}
          {listed.leftOut === 0 ? null : <p className="m-0 text-sm text-warn">{leftOutText(listed.leftOut)}</p>}
          {listed.tools.length === 0 ? null : (
            <div className={row()}>
              <Button look="ink" onClick={() => onReview(found.tested)}>
                {t('servers.review')}
              </Button>
              <span className="text-sm text-muted">{t('servers.review-next')}</span>
            </div>
          )}
        </>
      )
    }
  }
}

/** The server answers, but requires a sign-in. */
const SignInOffer = ({ url, onSignIn }: { url: string; onSignIn: () => void }) => (
  <div className={notice()} role="status">
    <Icon name="info" />
    <span className="min-w-0 flex-1 wrap-anywhere">
      <SentenceText text={t('servers.found.sign-in', { host: asUntrusted(hostOf(url)) })} />
    </span>
    <Button look="ink" onClick={onSignIn}>
      {t('servers.sign-in.submit')}
    </Button>
  </div>
)

interface AdviceProps {
  readonly advice: ServerAdvice
  readonly onTry?: (url: string) => void
}

function Advice({ advice: { message, fixes, instead }, onTry }: AdviceProps) {
  return (
    <div className={notice({ tone: 'warn' })} role="alert">
      <Icon name="warn" />
      <div className="grid min-w-0 flex-1 gap-2">
        <p className="m-0 text-pretty wrap-anywhere">
          <SentenceText text={message} />
        </p>
        {instead === undefined || !onTry ? null : (
          <div>
            <Button className="wrap-anywhere" onClick={() => onTry(instead)}>
              <SentenceText text={t('servers.try', { address: asUntrusted(instead) })} />
            </Button>
          </div>
        )}
        {fixes.map(({ how, paste }) => (
          <details key={how} className="grid gap-1">
            <summary className="cursor-pointer text-sm text-muted pointer-coarse:py-3">{how}</summary>
            <span className="flex items-start gap-2 rounded-md border border-line bg-sunken px-2.5 py-1.5">
              <code className="min-w-0 flex-1 font-mono text-mono whitespace-pre-wrap wrap-anywhere">{paste}</code>
              <CopyButton text={() => paste} />
            </span>
          </details>
        ))}
      </div>
    </div>
  )
}
