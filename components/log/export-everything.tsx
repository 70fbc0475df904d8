'use client'

import { numberWords } from '@/lib/base/locale'
import { SaidText } from '@/components/ui/foreign-text'
import { useRef, useState } from 'react'
import { useToolRuntime } from '@/components/context/tool-runtime-context'
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { Spinner } from '@/components/ui/spinner'
import { pageBroke } from '@/lib/client/api-failure'
import type { NodApi } from '@/lib/client/nod-api'
import { nodApi } from '@/lib/wiring/nod-api.browser'
import { packChat, UnreadableFile } from '@/lib/workspace/chat-zip/pack-chat'
import { createZip } from '@/lib/workspace/zip/create-zip'
import { saveBlob } from './save-text'

interface ExportEverythingProps {
  readonly conversationId: string
  readonly api?: Pick<NodApi, 'exportChat'>
}

/** The chat, its log and its files as one zip, made in this browser: only it has the files. */
export function ExportEverything({ conversationId, api = nodApi }: ExportEverythingProps) {
  const runtime = useToolRuntime()
  const [busy, setBusy] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const work = useRef<AbortController | null>(null)

  const exportAll = async () => {
    const controller = new AbortController()
    const { signal } = controller
    work.current = controller
    setProblem(null)
    setBusy('Exporting …')
    try {
      const exported = await api.exportChat(conversationId, signal)
      if (!exported.ok) return signal.aborted ? undefined : setProblem(exported.error.message)
      const { vfs } = await runtime(conversationId)
      const onProgress = (done: number, of: number) => {
        if (done % 50 === 0) setBusy(`Exporting file ${numberWords(done)} of ${numberWords(of)} …`)
      }
      saveBlob(
        zipName(exported.value.conversation.title),
        await packChat(exported.value, { vfs, createZip, signal, onProgress }),
      )
    } catch (error) {
      if (!signal.aborted) setProblem(error instanceof UnreadableFile ? error.message : pageBroke.message)
    } finally {
      setBusy(null)
    }
  }

  return (
    <>
      {busy === null ? (
        <Button onClick={() => void exportAll()}>
          <Icon name="save" />
          Export everything
        </Button>
      ) : (
        <>
          <span className="text-muted tabular-nums" role="status">
            <Spinner /> {busy}
          </span>
          <Button onClick={() => work.current?.abort()}>Cancel</Button>
        </>
      )}
      {problem === null ? null : (
        <p role="alert">
          <SaidText text={problem} />
        </p>
      )}
    </>
  )
}

/** A title as a file's name on any system. */
function zipName(title: string): string {
  const plain = title
    .replaceAll(/[\\/:*?"<>|\p{Cc}]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return `${plain.slice(0, 60).toWellFormed() || 'chat'}.nod.zip`
}
