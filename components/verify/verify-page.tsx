'use client'

import { useEffect, useRef, useState, type DragEvent } from 'react'
import { Button } from '@/components/ui/controls/button'
import { PageHead } from '@/components/ui/page/page-head'
import { useLanguage } from '@/components/ui/page/use-language'
import { Spinner } from '@/components/ui/page/wait'
import { column, row } from '@/components/ui/recipes/surface'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { pageBroke } from '@/lib/client/api/api-failure'
import type { CheckedFile } from '@/lib/client/export/record/check-file'
import { loadPart } from '@/lib/i18n/load-part'
import { asUntrusted } from '@/lib/base/untrusted-text/foreign'
import { t } from '@/lib/i18n/t'
import { CheckedRecordView } from './checked-record'

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
        <input
          ref={input}
          type="file"
          hidden
          accept=".zip,.jsonl"
          aria-label={t('verify.file')}
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? []
            currentTarget.value = ''
            if (file) void read(file)
          }}
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
