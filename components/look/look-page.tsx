'use client'

import { useEffect, useState } from 'react'
import { JsonTree } from '@/components/ui/code/json-tree'
import { Button } from '@/components/ui/controls/button'
import { field } from '@/components/ui/recipes/field'
import { column, notice, panel, row } from '@/components/ui/recipes/surface'
import { PageHead, PageLink } from '@/components/ui/page/page-head'
import { useLanguage } from '@/components/ui/page/use-language'
import { Wait } from '@/components/ui/page/wait'
import { ForeignName, ForeignText, SentenceText } from '@/components/ui/text/foreign-text'
import { asUntrusted } from '@/lib/base/untrusted-text/foreign'
import type { CallLinkApi } from '@/lib/client/api/look-api'
import { callLinkApi } from '@/lib/client/wiring/looks.browser'
import { t } from '@/lib/i18n/t'
import { changedText } from '@/lib/shared/calls/grant-text'
import { formatBytes } from '@/lib/base/text/locale'
import type { ShownChange, ShownCopy } from '@/lib/shared/conversation/copy-scopes'
import type {
  CallLinkAnswer,
  CallLinkView,
  CopyLinkView,
  LinkAnswered,
  LinkView,
} from '@/lib/shared/conversation/wire/call-requests'

type Step =
  | { readonly kind: 'reading' }
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'shown'; readonly view: LinkView }
  | { readonly kind: 'decided'; readonly words: string }

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
      const { value: view } = read
      const { decision } = view
      if (decision === null) return setStep({ kind: 'shown', view })
      const when = isOfCopy(view) && view.hasRun ? 'done' : 'before'
      setStep({ kind: 'decided', words: decidedWords(view, when, decision) })
    }
    void api.read(token).then(show)
    return () => {
      isWanted = false
    }
  }, [api, token])

  const answerTo = (view: LinkView) => async (body: CallLinkAnswer) => {
    const answer = await api.answer(token, body)
    if (!answer.ok) return answer.error.message
    const { granted, decision } = answer.value
    setStep({ kind: 'decided', words: decidedWords(view, granted ? 'you' : 'before', decision) })
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
            {step.words}
          </p>
        ) : isOfCopy(step.view) ? (
          <Copy view={step.view} onAnswer={answerTo(step.view)} />
        ) : (
          <Call view={step.view} onAnswer={answerTo(step.view)} />
        )}
      </main>
    </div>
  )
}

const isOfCopy = (view: LinkView): view is CopyLinkView => 'copy' in view

/** `before`: someone else decided first. `done`: a copy has ended. */
function decidedWords(view: LinkView, when: 'you' | 'before' | 'done', decision: LinkAnswered['decision']): string {
  if (isOfCopy(view) && decision !== 'skip') return t(`look.copy-${when}.${decision}`)
  return t(`look.${when === 'you' ? 'you' : 'before'}.${decision}`)
}

interface CopyProps {
  readonly view: CopyLinkView
  readonly onAnswer: (body: CallLinkAnswer) => Promise<string | null>
}

/** The changes of a copy, without their contents. */
function Copy({ view: { chat, copy }, onAnswer }: CopyProps) {
  const { say, busy, problem } = useAnswer(onAnswer)
  const { changes = [], runs = 0, ms = 0 } = copy ?? {}
  const first = changes.filter(({ reasons }) => reasons.length > 0)
  return (
    <>
      <p className="text-muted">
        <SentenceText
          text={t(chat.id === null ? 'look.review-copy-in-chat' : 'look.copy-in-chat', {
            title: asUntrusted(chat.title || t('look.untitled')),
          })}
        />
      </p>
      <section className={panel({}, 'mt-3')} aria-label={t('copy.title')}>
        <div className="border-b border-line px-3.5 py-2.5">
          <h2 className="font-strong">{t('copy.title')}</h2>
          <p>{changedText(changes)}</p>
          <p className="text-sm text-muted">{t('look.copy-runs', { runs, seconds: Math.round(ms / 100) / 10 })}</p>
        </div>
        {first.length > 0 ? (
          <Changes heading={t('copy.first')} changes={first} isFirst isReview={chat.id === null} />
        ) : null}
        <Changes heading={t('copy.all')} changes={changes} isFirst={false} isReview={chat.id === null} />
      </section>
      <p className="mt-3 text-sm text-pretty text-muted">{t('look.copy-files')}</p>
      <div className={row({}, 'mt-4')}>
        <Button look="go" disabled={busy} onClick={() => void say({ decision: 'run' })}>
          {t('copy.keep-all')}
        </Button>
        <Button disabled={busy} onClick={() => void say({ decision: 'deny' })}>
          {t('copy.discard')}
        </Button>
        <OpenChat id={chat.id} />
      </div>
      <Problem text={problem} />
    </>
  )
}

interface ChangesProps {
  readonly heading: string
  readonly changes: ShownCopy['changes']
  /** With the reasons to review them first. */
  readonly isFirst: boolean
  /** The reader is not the user. */
  readonly isReview: boolean
}

const Changes = ({ heading, changes, isFirst, isReview }: ChangesProps) => (
  <div className="border-t border-line px-3.5 py-2 first-of-type:border-t-0">
    <h3 className="text-sm font-strong">
      {heading} <span className="ps-1 font-normal text-muted">{changes.length}</span>
    </h3>
    <ul>
      {changes.map((change) => (
        <li key={change.path} className="flex min-h-8 flex-wrap items-center gap-x-3 text-sm">
          <code className="min-w-0 font-mono text-mono wrap-anywhere">
            <ForeignName text={change.path} />
          </code>
          <span className="min-w-0 flex-1 text-muted">
            <SentenceText text={isFirst ? reasonsText(change, isReview) : kindText(change)} />
          </span>
          <span className="flex-none text-muted tabular-nums">
            {change.lines ? (
              <>
                <span aria-hidden="true">{`+${change.lines.added} −${change.lines.removed}`}</span>
                <span className="sr-only">{t('card.lines', change.lines)}</span>
              </>
            ) : (
              formatBytes(change.size)
            )}
          </span>
        </li>
      ))}
    </ul>
  </div>
)

const reasonsText = ({ reasons }: ShownChange, isReview: boolean): string =>
  reasons
    .map((reason) =>
      t(reason === 'asked' ? (isReview ? 'look.review-copy-asked' : 'look.copy-asked') : `copy.${reason}`),
    )
    .join(', ')

const kindText = ({ change, from = '' }: ShownChange): string =>
  change === 'moved' ? t('copy.moved', { from: asUntrusted(from) }) : t(`copy.${change}`)

interface CallProps {
  readonly view: CallLinkView
  /** Returns a sentence if the answer could not be stored. */
  readonly onAnswer: (body: CallLinkAnswer) => Promise<string | null>
}

function Call({ view, onAnswer }: CallProps) {
  const { chat, call, level, host, asked } = view
  const [reason, setReason] = useState('')
  const { say, busy, problem } = useAnswer(onAnswer)
  return (
    <>
      <p className="text-muted">
        <SentenceText
          text={t(chat.id === null ? 'look.review-in-chat' : 'look.in-chat', {
            title: asUntrusted(chat.title || t('look.untitled')),
          })}
        />
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
            <SentenceText
              text={t(chat.id === null ? 'look.review-asked' : 'look.asked', { text: asUntrusted(asked) })}
            />
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
        <OpenChat id={chat.id} />
      </div>
      <Problem text={problem} />
    </>
  )
}

/** A reviewer can't open it. */
const OpenChat = ({ id }: { id: string | null }) =>
  id === null ? null : (
    <PageLink className="ms-auto text-sm underline" href={`/c/${id}`}>
      {t('look.open-chat')}
    </PageLink>
  )

function useAnswer(onAnswer: CallProps['onAnswer']) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const say = async (body: CallLinkAnswer) => {
    setBusy(true)
    setProblem(await onAnswer(body))
    setBusy(false)
  }
  return { say, busy, problem }
}

const Problem = ({ text }: { text: string | null }) =>
  text === null ? null : (
    <p className="mt-3" role="alert">
      <SentenceText text={text} />
    </p>
  )
