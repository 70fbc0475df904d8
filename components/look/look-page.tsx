'use client'

import { useEffect, useState } from 'react'
import { JsonTree } from '@/components/ui/code/json-tree'
import { Button } from '@/components/ui/controls/button'
import { field } from '@/components/ui/recipes/field'
import { column, notice, panel, row } from '@/components/ui/recipes/surface'
import { PageHead, PageLink } from '@/components/ui/page/page-head'
import { useLanguage } from '@/components/ui/page/use-language'
import { Wait } from '@/components/ui/page/wait'
import { ForeignText, SentenceText } from '@/components/ui/text/foreign-text'
import { asUntrusted } from '@/lib/base/untrusted-text/foreign'
import type { CallLinkApi } from '@/lib/client/api/look-api'
import { callLinkApi } from '@/lib/client/wiring/looks.browser'
import { t } from '@/lib/i18n/t'
import type { CallLinkAnswer, CallLinkView } from '@/lib/shared/conversation/wire/call-requests'

type Step =
  | { readonly kind: 'reading' }
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'shown'; readonly view: CallLinkView }
  /** `mine` false: someone else decided first. */
  | { readonly kind: 'decided'; readonly decision: 'run' | 'deny' | 'skip'; readonly mine: boolean }

interface CallLinkPageProps {
  readonly token: string
  readonly api?: Pick<CallLinkApi, 'read' | 'answer'>
}

/**
 * Shows one call with its chat's name, and takes the decision. Nothing runs here: the browser that asked has the files.
 */
export function CallLinkPage({ token, api = callLinkApi }: CallLinkPageProps) {
  const [tries, setTries] = useState(0)
  return <Look key={tries} token={token} api={api} onAgain={() => setTries(tries + 1)} />
}

function Look({ token, api, onAgain }: Required<CallLinkPageProps> & { readonly onAgain: () => void }) {
  useLanguage()
  const [step, setStep] = useState<Step>({ kind: 'reading' })
  useEffect(() => {
    let isWanted = true
    const show = (read: Awaited<ReturnType<CallLinkApi['read']>>) => {
      if (!isWanted) return
      if (!read.ok) return setStep({ kind: 'failed', why: read.error.message })
      const { decision } = read.value
      setStep(decision === null ? { kind: 'shown', view: read.value } : { kind: 'decided', decision, mine: false })
    }
    void api.read(token).then(show)
    return () => {
      isWanted = false
    }
  }, [api, token])

  const answer = async (body: CallLinkAnswer) => {
    const said = await api.answer(token, body)
    if (!said.ok) return said.error.message
    setStep({ kind: 'decided', decision: said.value.call.decision, mine: said.value.granted })
    return null
  }
  return (
    <div className="flex min-h-dvh flex-col">
      <PageHead title={t('look.title')} />
      <main className={column()}>
        {step.kind === 'reading' ? (
          <Wait what={t('look.reading')} />
        ) : step.kind === 'failed' ? (
          <div role="alert">
            <p>
              <SentenceText text={step.why} />
            </p>
            <Button className="mt-3" onClick={onAgain}>
              {t('look.again')}
            </Button>
          </div>
        ) : step.kind === 'decided' ? (
          <p role="status" className="text-lg text-pretty">
            {t(`look.${step.mine ? 'you' : 'before'}.${step.decision}`)}
          </p>
        ) : (
          <Call view={step.view} onAnswer={answer} />
        )}
      </main>
    </div>
  )
}

interface CallProps {
  readonly view: CallLinkView
  /** Returns a sentence if the answer could not be stored. */
  readonly onAnswer: (body: CallLinkAnswer) => Promise<string | null>
}

function Call({ view, onAnswer }: CallProps) {
  const { chat, call, level, host, asked } = view
  const [reason, setReason] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const say = async (body: CallLinkAnswer) => {
    setBusy(true)
    setProblem(await onAnswer(body))
    setBusy(false)
  }
  return (
    <>
      <p className="text-muted">
        <SentenceText text={t('look.in-chat', { title: asUntrusted(chat.title || t('look.untitled')) })} />
      </p>
      <section className={panel({}, 'mt-3')} aria-label={t('look.call')}>
        <div className="flex flex-wrap items-baseline gap-x-3 border-b border-line px-3.5 py-2.5">
          <code className="font-mono text-mono font-strong wrap-anywhere">
            <ForeignText text={call.name} />
          </code>
          {level === null ? null : <span className="text-sm text-muted">{t(`permission.${level}`)}</span>}
        </div>
        <div className="px-3.5 py-3">
          {host === null ? null : (
            <p className="mb-2 text-sm">
              <SentenceText text={t('look.leaves', { host: asUntrusted(host) })} />
            </p>
          )}
          <JsonTree value={call.arguments} label={t('look.arguments')} />
        </div>
      </section>
      {asked === null ? null : (
        <div className={notice({ tone: 'warn' }, 'mt-3')} role="note">
          <p className="text-pretty">
            <SentenceText text={t('look.asked', { text: asUntrusted(asked) })} />
          </p>
        </div>
      )}
      <p className="mt-3 text-sm text-pretty text-muted">{t('look.files')}</p>
      <label className="mt-4 block">
        <span className="text-sm text-muted">{t('look.reason')}</span>
        <input
          className={field({}, 'mt-1')}
          maxLength={2000}
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
      </label>
      <div className={row({}, 'mt-4')}>
        <Button look={asked === null ? 'go' : 'go-next'} disabled={busy} onClick={() => void say({ decision: 'run' })}>
          {t('look.approve')}
        </Button>
        <Button disabled={busy} onClick={() => void say({ decision: 'deny', reason: reason.trim() })}>
          {t('look.deny')}
        </Button>
        <PageLink className="ms-auto text-sm underline" href={`/c/${chat.id}`}>
          {t('look.open-chat')}
        </PageLink>
      </div>
      {problem === null ? null : (
        <p className="mt-3" role="alert">
          <SentenceText text={problem} />
        </p>
      )}
    </>
  )
}
