'use client'

import { ForeignText, SentenceText } from '@/components/ui/text/foreign-text'
import { useRef, useState } from 'react'
import { useToolRuntime } from '@/components/context/tool-runtime-context'
import { Button } from '@/components/ui/controls/button'
import { CopyButton } from '@/components/ui/controls/copy-button'
import { Icon } from '@/components/ui/controls/icon'
import { PageLink } from '@/components/ui/page/page-head'
import { Progress } from '@/components/ui/page/progress'
import { textButton } from '@/components/ui/recipes/button'
import { loadPart } from '@/lib/i18n/load-part'
import { t } from '@/lib/i18n/t'
import { pageBroke } from '@/lib/client/api/api-failure'
import type { NodApi } from '@/lib/client/api/nod-api'
import { nodApi } from '@/lib/client/wiring/nod-api.browser'
import type { WrittenRecord } from '@/lib/client/export/record/write-record'
import { UnreadableFile } from '@/lib/client/files/chat-zip/pack-chat'

/** Downloads a text as a file. */
export const saveText = (name: string, text: string): void =>
  saveBlob(name, new Blob([text], { type: 'application/json' }))

/** Downloads a file. */
export function saveBlob(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The download has its own reference to the data by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/** A title as a file name that is valid on any system; `ending`, e.g. `.md`. */
export function fileOfTitle(title: string, ending: string): string {
  const plain = title
    .replaceAll(/[\\/:*?"<>|\p{Cc}]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return `${plain.slice(0, 60).toWellFormed() || 'chat'}${ending}`
}

interface ExportEverythingProps {
  readonly conversationId: string
  readonly api?: Pick<NodApi, 'exportChat'>
}

/** Exports the chat, its log and its files as one zip, made in this browser, because only it has the files. */
export function ExportEverything({ conversationId, api = nodApi }: ExportEverythingProps) {
  const runtime = useToolRuntime()
  /** Files in the zip, and the total; null while the total is unknown. */
  const [busy, setBusy] = useState<{ readonly done: number; readonly all: number | null } | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [written, setWritten] = useState<WrittenRecord | null>(null)
  const work = useRef<AbortController | null>(null)

  const exportAll = async () => {
    const controller = new AbortController()
    const { signal } = controller
    work.current = controller
    setProblem(null)
    setWritten(null)
    setBusy({ done: 0, all: null })
    try {
      const { packWholeChat } = await loadPart(() => import('@/lib/client/wiring/files/transfer.browser'))
      const onProgress = (done: number, of: number) => {
        // A render for every file would be more than anyone can see.
        if (done % 20 === 0 || done === of) setBusy({ done, all: of })
      }
      const { vfs } = await runtime(conversationId)
      const packed = await packWholeChat(conversationId, { api, vfs, signal, onProgress })
      if (!packed.ok) return signal.aborted ? undefined : setProblem(packed.error)
      saveBlob(fileOfTitle(packed.value.title, '.nod.zip'), packed.value.zip)
      setWritten(packed.value.record)
    } catch (error) {
      if (!signal.aborted) setProblem(error instanceof UnreadableFile ? error.message : pageBroke().message)
    } finally {
      setBusy(null)
    }
  }

  return (
    <>
      {busy === null ? (
        <Button onClick={() => void exportAll()}>
          <Icon name="save" />
          {t('log.export-all')}
        </Button>
      ) : (
        <Progress
          className="min-w-60"
          what={exportWords(busy)}
          done={busy.done}
          of={busy.all}
          cancel={{ label: t('wait.cancel'), run: () => work.current?.abort() }}
        />
      )}
      {written === null ? null : <WrittenHead {...written} />}
      {problem === null ? null : (
        <p role="alert">
          <SentenceText text={problem} />
        </p>
      )}
    </>
  )
}

/** The hash of the whole record: stored elsewhere, it later proves that the file is unchanged. */
function WrittenHead({ head, entries }: WrittenRecord) {
  return (
    <div className="w-full text-sm text-muted" role="status">
      <p className="text-pretty">{t('log.record-head', { entries })}</p>
      <p className="my-1 flex items-center gap-1.5">
        <code className="font-mono text-mono wrap-anywhere">
          <ForeignText text={head} />
        </code>
        <CopyButton text={() => head} />
      </p>
      <PageLink className={textButton({})} href="/verify">
        {t('log.record-check')}
      </PageLink>
    </div>
  )
}

const exportWords = ({ done, all }: { readonly done: number; readonly all: number | null }): string =>
  all === null ? t('wait.export-ask') : done < all ? t('wait.export', { done, all }) : t('wait.export-pack')
