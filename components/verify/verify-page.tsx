'use client'

import { useEffect, useRef, useState, type DragEvent } from 'react'
import { Button } from '@/components/ui/controls/button'
import { FileField } from '@/components/ui/forms/file-field'
import { PageHead } from '@/components/ui/page/page-head'
import { Spinner } from '@/components/ui/page/wait'
import { column, row, notice } from '@/components/ui/recipes/surface'
import { SentenceText, ForeignText } from '@/components/ui/text/foreign-text'
import { pageBroke } from '@/lib/client/api/api-failure'
import { loadPart } from '@/lib/i18n/load-part'
import { CopyButton } from '@/components/ui/controls/copy-button'
import { Icon } from '@/components/ui/controls/icon'
import { useLanguage } from '@/components/ui/page/use-language'
import { field } from '@/components/ui/recipes/field'
import type { CheckedFile, CheckedMembers } from '@/lib/client/export/record/check-file'
import { asUntrusted } from '@/lib/base/untrusted-text/foreign'
import { t } from '@/lib/i18n/t'
import type { CheckedRecord, RecordBreak } from '@/lib/shared/record/check-record'

type Checked = Extract<CheckedFile, { kind: 'checked' }>

interface CheckedRecordProps extends Omit<Checked, 'kind'> {
  /** The file's name. */
  readonly name: string
}

/** The result of checking a record: intact or broken, and where; the files beside it; the final hash. */
export function CheckedRecordView({ record, title, reviewers, members, name }: CheckedRecordProps) {
  useLanguage()
  const { broken } = record
  const isComplete = broken === null && (members === null || brokenPaths(members).length === 0)
  return (
    <section className="mt-5" aria-label={t('verify.result')}>
      <div className={notice({ tone: isComplete ? undefined : 'bad' })} role={isComplete ? 'status' : 'alert'}>
        <Icon name={isComplete ? 'ok' : 'no'} />
        <div className="min-w-0">
          <p className="font-strong text-pretty">
            {broken
              ? t('verify.broken', { entry: broken.entry })
              : t(isComplete ? 'verify.whole' : 'verify.whole-but', timesOf(record))}
          </p>
          {broken ? <Broken broken={broken} whole={record.entries} /> : null}
          <p className="mt-1 text-sm text-muted">
            <SentenceText
              text={
                title === ''
                  ? t('verify.of-file', { name: asUntrusted(name) })
                  : t('verify.of-chat', { name: asUntrusted(name), title: asUntrusted(title) })
              }
            />
          </p>
        </div>
      </div>
      {members ? <Members members={members} /> : null}
      {reviewers.slice(0, SHOWN).map((reviewer) => (
        <p key={reviewer.name} className="mt-3">
          <SentenceText text={t('verify.reviewed', { name: asUntrusted(reviewer.name), count: reviewer.calls })} />
        </p>
      ))}
      {broken === null && record.head !== null ? <Head head={record.head} /> : null}
    </section>
  )
}

const timesOf = ({ entries, from, to }: CheckedRecord) => ({
  entries,
  from: Date.parse(from ?? ''),
  to: Date.parse(to ?? ''),
})

function Broken({ broken, whole }: { readonly broken: RecordBreak; readonly whole: number }) {
  const { kind, expected, found, about } = broken
  const [first, next] = [Number(expected), Number(found)]
  const range = { first, last: next - 1, count: next - first }
  return (
    <>
      <p className="mt-1 text-pretty">
        {kind === 'missing' || kind === 'moved'
          ? t(`verify.break.${kind}`, range)
          : kind === 'repeated' || kind === 'inserted'
            ? t(`verify.break.${kind}`, { entry: next })
            : t(`verify.break.${kind}`)}
      </p>
      {about ? (
        <p className="mt-1 text-sm">
          <SentenceText text={t('verify.entry', { type: asUntrusted(about.type), at: asUntrusted(about.at) })} />
        </p>
      ) : null}
      {expected === null && found === null ? null : (
        <dl className="mt-1.5 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 text-sm [&>dt]:text-muted">
          <dt>{t('verify.expected')}</dt>
          <dd>{expected === null ? t('verify.nothing') : <HashText text={expected} />}</dd>
          <dt>{t('verify.found')}</dt>
          <dd>{found === null ? t('verify.nothing') : <HashText text={found} />}</dd>
        </dl>
      )}
      <p className="mt-1 text-sm text-muted">{t('verify.before', { count: whole })}</p>
    </>
  )
}

/** A hash, a number, or an id, as anyone may have written it. */
const HashText = ({ text }: { readonly text: string }) => (
  <code className="font-mono text-mono wrap-anywhere">
    <ForeignText text={text} />
  </code>
)

const brokenPaths = ({ changed, missing, extra }: CheckedMembers) => [...changed, ...missing, ...extra]
const SHOWN = 20

function Members({ members }: { readonly members: CheckedMembers }) {
  if (brokenPaths(members).length === 0) {
    return <p className="mt-3">{t('verify.files-whole', { count: members.count })}</p>
  }
  return (['changed', 'missing', 'extra'] as const).map((kind) => {
    const paths = members[kind]
    if (paths.length === 0) return null
    return (
      <div key={kind} className="mt-3">
        <p>{t(`verify.files-${kind}`, { count: paths.length })}</p>
        <ul className="list-disc ps-5">
          {paths.slice(0, SHOWN).map((path) => (
            <li key={path}>
              <ForeignText text={path} />
            </li>
          ))}
        </ul>
        {paths.length > SHOWN ? <p>{t('verify.files-more', { count: paths.length - SHOWN })}</p> : null}
      </div>
    )
  })
}

/** The final hash, and a field for one that was stored elsewhere. */
function Head({ head }: { readonly head: string }) {
  const [kept, setKept] = useState('')
  const hash = kept.trim().toLowerCase()
  const isSame = hash === head || `sha256:${hash}` === head
  return (
    <div className="mt-4">
      <p className="text-sm text-muted">{t('verify.head')}</p>
      <p className="flex flex-wrap items-center gap-x-2">
        <HashText text={head} />
        <CopyButton text={() => head} />
      </p>
      <label className="mt-3 block">
        <span className="text-sm text-muted">{t('verify.compare')}</span>
        <input
          className={field({}, 'mt-1 font-mono')}
          value={kept}
          spellCheck={false}
          autoComplete="off"
          onChange={({ currentTarget }) => setKept(currentTarget.value)}
        />
      </label>
      <p className="mt-1.5 min-h-[1.5rem]" role="status">
        {hash === '' ? null : isSame ? t('verify.same') : t('verify.different')}
      </p>
    </div>
  )
}

type Step =
  | { readonly kind: 'choose' }
  | { readonly kind: 'reading'; readonly name: string }
  | { readonly kind: 'read'; readonly name: string; readonly file: CheckedFile }
  | { readonly kind: 'failed'; readonly why: string }

type Check = (file: Blob, signal: AbortSignal) => Promise<CheckedFile>

/** The code that reads zips loads with the first file. */
const checkHere: Check = async (file, signal) => {
  const { checkChosen } = await loadPart(() => import('@/lib/client/wiring/check-record.browser'))
  return checkChosen(file, signal)
}

/** Checks an exported chat in this browser. Sends nothing. */
export function VerifyPage({ check = checkHere }: { readonly check?: Check }) {
  useLanguage()
  const [step, setStep] = useState<Step>({ kind: 'choose' })
  const input = useRef<HTMLInputElement>(null)
  const running = useRef(new AbortController())
  useEffect(() => () => running.current.abort(), [])

  const read = async (file: File) => {
    running.current.abort()
    const controller = new AbortController()
    running.current = controller
    const { signal } = controller
    const say = (next: Step) => (signal.aborted ? undefined : setStep(next))
    say({ kind: 'reading', name: file.name })
    try {
      say({ kind: 'read', name: file.name, file: await check(file, signal) })
    } catch {
      say({ kind: 'failed', why: pageBroke().message })
    }
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    const [file] = event.dataTransfer.files
    if (file) void read(file)
  }

  return (
    <div className="flex min-h-dvh flex-col" onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      <PageHead title={t('verify.title')} />
      <main className={column()}>
        <p className="text-pretty text-muted">{t('verify.about')}</p>
        <div className={row({}, 'mt-4 rounded-lg border border-dashed border-line-strong p-5')}>
          <Button look="ink" onClick={() => input.current?.click()}>
            {t('verify.choose')}
          </Button>
          <span className="text-muted">{t('verify.drop')}</span>
        </div>
        <FileField
          field={input}
          label={t('verify.file')}
          accept=".zip,.jsonl"
          onPick={([file]) => file && void read(file)}
        />
        {step.kind === 'reading' ? (
          <p className="mt-5" role="status">
            <Spinner /> <SentenceText text={t('verify.reading', { name: asUntrusted(step.name) })} />
          </p>
        ) : step.kind === 'failed' ? (
          <p className="mt-5" role="alert">
            <SentenceText text={step.why} />
          </p>
        ) : step.kind === 'read' ? (
          <Found {...step} />
        ) : null}
        <section className="mt-8 text-sm text-muted" aria-labelledby="verify-limits">
          <h2 id="verify-limits" className="font-strong text-text">
            {t('verify.limits')}
          </h2>
          <ul className="mt-1 list-disc ps-5 [&>li]:mt-1 [&>li]:text-pretty">
            <li>{t('verify.limits-hash')}</li>
            <li>{t('verify.limits-unsigned')}</li>
            <li>{t('verify.limits-content')}</li>
          </ul>
        </section>
      </main>
    </div>
  )
}

function Found({ file, name }: { readonly file: CheckedFile; readonly name: string }) {
  if (file.kind === 'checked') return <CheckedRecordView key={file.record.head} name={name} {...file} />
  const why =
    file.kind === 'no-record'
      ? t('verify.no-record', { name: asUntrusted(name) })
      : file.kind === 'newer'
        ? t('verify.newer', { name: asUntrusted(name) })
        : file.why
  return (
    <p className="mt-5" role="alert">
      <SentenceText text={why} />
    </p>
  )
}
