'use client'

import { SaidText } from '@/components/ui/foreign-text'
import { useEffect, useRef, useState } from 'react'
import { useChat, useChatActions } from '@/components/chat/chat-context'
import { useToolRuntime } from '@/components/tool-call/tool-runtime-context'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Spinner } from '@/components/ui/spinner'
import { sentenceOf } from '@/lib/client/api'
import type { TransferApi } from '@/lib/client/transfer-api'
import { transferApi } from '@/lib/wiring/transfer.browser'
import { placeImported } from '@/lib/workspace/chat-zip/place-imported'
import { unpackChat, type UnpackedChat } from '@/lib/workspace/chat-zip/unpack-chat'
import { readZip } from '@/lib/workspace/zip/read-zip'

interface ImportChatProps {
  readonly onClose: () => void
  /** A chat was opened. */
  readonly onDone: () => void
  readonly api?: TransferApi
}

type Step =
  | { readonly kind: 'choose'; readonly problem: string | null }
  | { readonly kind: 'working'; readonly words: string }
  /** The chat stands; its files don't. */
  | { readonly kind: 'no-room'; readonly id: string; readonly chat: UnpackedChat; readonly problem: string }
  | { readonly kind: 'done'; readonly left: readonly string[] }

/** Takes an exported chat back in, as a new one; nothing in it runs by itself. */
export default function ImportChat({ onClose, onDone, api = transferApi }: ImportChatProps) {
  const actions = useChatActions()
  const query = useChat((state) => state.query)
  const runtime = useToolRuntime()
  const [step, setStep] = useState<Step>({ kind: 'choose', problem: null })
  const input = useRef<HTMLInputElement>(null)
  const work = useRef(new AbortController())
  useEffect(() => () => work.current.abort(), [])

  const place = async (id: string, chat: UnpackedChat) => {
    setStep({ kind: 'working', words: 'Writing its files …' })
    const problem = await runtime(id)
      .then(({ vfs }) => placeImported(vfs, chat))
      .catch(() => 'The files of this chat can’t be reached in this browser.')
    actions.search(query)
    actions.open(id)
    if (problem !== null) setStep({ kind: 'no-room', id, chat, problem })
    else if (chat.skipped.length > 0) setStep({ kind: 'done', left: chat.skipped })
    else onDone()
  }
  const take = async (file: File) => {
    const controller = new AbortController()
    const { signal } = controller
    work.current = controller
    setStep({ kind: 'working', words: 'Reading the file …' })
    try {
      const onProgress = (count: number) =>
        setStep({ kind: 'working', words: `Reading the file, ${count.toLocaleString('en')} in it so far …` })
      const read = await unpackChat(file, { readZip, signal, onProgress })
      if (!read.ok) return setStep({ kind: 'choose', problem: read.error })
      setStep({ kind: 'working', words: 'Importing the chat …' })
      const { id } = await api.importChat(crypto.randomUUID(), read.value.exported, signal)
      await place(id, read.value)
    } catch (error) {
      setStep({ kind: 'choose', problem: signal.aborted ? 'Nothing was imported.' : sentenceOf(error) })
    }
  }

  return (
    <Dialog label="Import a chat" onClose={onClose}>
      <h2>Import a chat</h2>
      {step.kind === 'choose' ? (
        <>
          <p>
            Choose a zip that was exported from Nod, or the conversation.json in it. It becomes a new chat of yours.
          </p>
          <p className="muted">
            Calls in it wait for your click, and results that no model has seen wait for your look.
          </p>
          {step.problem === null ? null : (
            <p role="alert">
              <SaidText text={step.problem} />
            </p>
          )}
        </>
      ) : step.kind === 'working' ? (
        <p role="status">
          <Spinner /> <SaidText text={step.words} />
        </p>
      ) : step.kind === 'no-room' ? (
        <p role="alert">
          The chat was imported, its files were not. <SaidText text={step.problem} />
        </p>
      ) : (
        <>
          <p>The chat was imported. Some of its files were left out:</p>
          <ul>
            {step.left.slice(0, 20).map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        </>
      )}
      <div className="row">
        {step.kind === 'choose' ? (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button look="ink" onClick={() => input.current?.click()}>
              Choose a file
            </Button>
          </>
        ) : step.kind === 'working' ? (
          <Button onClick={() => work.current.abort()}>Cancel</Button>
        ) : (
          <>
            {step.kind === 'no-room' ? <Button onClick={() => void place(step.id, step.chat)}>Try again</Button> : null}
            <Button look="ink" onClick={onDone}>
              Close
            </Button>
          </>
        )}
      </div>
      <input
        ref={input}
        type="file"
        hidden
        accept=".zip,.json"
        aria-label="Exported chat"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          currentTarget.value = ''
          if (file) void take(file)
        }}
      />
    </Dialog>
  )
}
