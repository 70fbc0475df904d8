'use client'

import { SentenceText } from '@/components/ui/text/foreign-text'
import { useEffect, useRef, useState } from 'react'
import { useChat, useChatActions } from '@/components/context/chat-context'
import { useToolRuntime } from '@/components/context/tool-runtime-context'
import { Button } from '@/components/ui/controls/button'
import { FileField } from '@/components/ui/forms/file-field'
import { Dialog, DialogFoot } from '@/components/ui/popups/dialog'
import { lazyPart } from '@/components/ui/page/lazy-part'
import { Spinner } from '@/components/ui/page/wait'
import type { ImportPart } from '@/lib/shared/conversation/wire/api-types'
import { broughtParts, type BroughtPart } from '@/lib/shared/conversation/wire/import-settings'
import type { ConversationSettings } from '@/lib/shared/conversation/conversation'
import { settingsSchema } from '@/lib/shared/conversation/settings/settings'
import { pageBroke } from '@/lib/client/api/api-failure'
import { settingsOfNew } from '@/lib/client/chats/new-conversation'
import type { NodApi } from '@/lib/client/api/nod-api'
import { nodApi } from '@/lib/client/wiring/nod-api.browser'
import { isForeignFile } from '@/lib/client/export/other-chats/take-chats'
import { t } from '@/lib/i18n/t'
import { unpackChat, type UnpackedChat, placeImported } from '@/lib/client/files/chat-zip/unpack-chat'
import { readZip } from '@/lib/client/files/zip/read-zip'
import { checkLabel, checkBox } from '@/components/ui/recipes/field'
import { TextExcerpt } from '@/components/ui/text/text-excerpt'

const ForeignImport = lazyPart(() => import('./import-other/foreign-import'), {
  what: () => t('bring.part'),
})

interface ImportChatProps {
  readonly onClose: () => void
  /** A chat was opened. */
  readonly onDone: () => void
  readonly api?: Pick<NodApi, 'importChat'>
}

type Step =
  | { readonly kind: 'choose'; readonly problem: string | null }
  | { readonly kind: 'working'; readonly words: string }
  /** The file is read; nothing is imported yet. */
  | { readonly kind: 'ask'; readonly chat: UnpackedChat; readonly own: ConversationSettings }
  /** An export of another product. */
  | { readonly kind: 'foreign'; readonly file: File }
  /** The chat is imported; its files are not. */
  | { readonly kind: 'no-room'; readonly id: string; readonly chat: UnpackedChat; readonly problem: string }
  | { readonly kind: 'done'; readonly left: readonly string[] }

/** Imports an exported chat as a new one; nothing in it runs by itself. */
export default function ImportChat({ onClose, onDone, api = nodApi }: ImportChatProps) {
  const actions = useChatActions()
  const query = useChat((state) => state.query)
  const runtime = useToolRuntime()
  const listed = useChat((state) => state.models)
  const [step, setStep] = useState<Step>({ kind: 'choose', problem: null })
  const [taken, setTaken] = useState<readonly ImportPart[]>([])
  const input = useRef<HTMLInputElement>(null)
  const running = useRef(new AbortController())
  useEffect(() => () => running.current.abort(), [])

  const place = async (id: string, chat: UnpackedChat) => {
    setStep({ kind: 'working', words: t('import.writing') })
    const problem = await runtime(id)
      .then(({ vfs }) => placeImported(vfs, chat))
      .catch(() => t('import.no-files'))
    actions.search(query)
    actions.open(id)
    if (problem !== null) setStep({ kind: 'no-room', id, chat, problem })
    else if (chat.skipped.length > 0) setStep({ kind: 'done', left: chat.skipped })
    else onDone()
  }
  /** Runs one step that can be aborted; an error is shown at the file field. */
  const working = async (words: string, work: (signal: AbortSignal) => Promise<void>) => {
    const controller = new AbortController()
    const { signal } = controller
    running.current = controller
    setStep({ kind: 'working', words })
    try {
      await work(signal)
    } catch {
      setStep({ kind: 'choose', problem: signal.aborted ? t('import.nothing') : pageBroke().message })
    }
  }
  const read = (file: File) =>
    working(t('import.reading'), async (signal) => {
      if (await isForeignFile(file)) return signal.aborted ? undefined : setStep({ kind: 'foreign', file })
      const onProgress = (count: number) => setStep({ kind: 'working', words: t('import.reading-so-far', { count }) })
      const unpacked = await unpackChat(file, { readZip, signal, onProgress })
      if (!unpacked.ok) return setStep({ kind: 'choose', problem: unpacked.error })
      setTaken([])
      setStep({ kind: 'ask', chat: unpacked.value, own: settingsOfNew(listed) })
    })
  const importIt = (chat: UnpackedChat) =>
    working(t('import.importing'), async (signal) => {
      const imported = await api.importChat(crypto.randomUUID(), chat.exported, taken, signal)
      if (imported.ok) return place(imported.value.id, chat)
      setStep({ kind: 'choose', problem: signal.aborted ? t('import.nothing') : imported.error.message })
    })

  return (
    <Dialog label={t('import.title')} onClose={onClose}>
      <h2>{t('import.title')}</h2>
      {step.kind === 'choose' ? (
        <>
          <p>{t('import.choose')}</p>
          <p>{t('bring.offer')}</p>
          <p>{t('import.waits')}</p>
          {step.problem === null ? null : (
            <p role="alert">
              <SentenceText text={step.problem} />
            </p>
          )}
        </>
      ) : step.kind === 'foreign' ? (
        <ForeignImport file={step.file} onAgain={() => setStep({ kind: 'choose', problem: null })} onClose={onDone} />
      ) : step.kind === 'ask' ? (
        <BroughtAlong
          chat={step.chat}
          parts={partsOf(step.chat, step.own)}
          taken={taken}
          onTake={(part, on) => setTaken(on ? [...taken, part] : taken.filter((one) => one !== part))}
        />
      ) : step.kind === 'working' ? (
        <p role="status">
          <Spinner /> <SentenceText text={step.words} />
        </p>
      ) : step.kind === 'no-room' ? (
        <p role="alert">
          <SentenceText text={t('import.without-files', { why: step.problem })} />
        </p>
      ) : (
        <>
          <p>{t('import.left-out')}</p>
          <ul>
            {step.left.slice(0, 20).map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        </>
      )}
      {step.kind === 'foreign' ? null : (
        <DialogFoot>
          {step.kind === 'choose' ? (
            <>
              <Button onClick={onClose}>{t('import.cancel')}</Button>
              <Button look="ink" onClick={() => input.current?.click()}>
                {t('import.choose-do')}
              </Button>
            </>
          ) : step.kind === 'ask' ? (
            <>
              <Button onClick={onClose}>{t('import.cancel')}</Button>
              <Button look="ink" onClick={() => void importIt(step.chat)}>
                {t('import.do')}
              </Button>
            </>
          ) : step.kind === 'working' ? (
            <Button onClick={() => running.current.abort()}>{t('import.cancel')}</Button>
          ) : (
            <>
              {step.kind === 'no-room' ? (
                <Button onClick={() => void place(step.id, step.chat)}>{t('import.again')}</Button>
              ) : null}
              <Button look="ink" onClick={onDone}>
                {t('import.close')}
              </Button>
            </>
          )}
        </DialogFoot>
      )}
      <FileField
        field={input}
        label={t('import.file')}
        accept=".zip,.json"
        onPick={([file]) => file && void read(file)}
      />
    </Dialog>
  )
}

/**
 * What the chat would change besides its messages. Unreadable settings are not imported; the server gives the reason.
 */
function partsOf({ exported }: UnpackedChat, own: ConversationSettings): readonly BroughtPart[] {
  const { conversation } = exported
  const settings = typeof conversation === 'object' && conversation !== null && 'settings' in conversation
  const read = settingsSchema.safeParse(settings ? conversation.settings : null)
  return read.success ? broughtParts(read.data, own) : []
}

interface BroughtAlongProps {
  readonly chat: UnpackedChat
  readonly parts: readonly BroughtPart[]
  readonly taken: readonly ImportPart[]
  readonly onTake: (part: ImportPart, on: boolean) => void
}

/** What is in the file, what is left out, and what is imported only if checked. */
function BroughtAlong({ chat, parts, taken, onTake }: BroughtAlongProps) {
  return (
    <>
      <p>
        <strong dir="auto">{chat.title === '' ? t('import.untitled') : chat.title}</strong>
        {contentWords(chat)}
      </p>
      <p className="text-muted">{t('import.behind')}</p>
      {parts.length === 0 ? null : (
        <fieldset className="grid gap-3">
          <legend className="pt-3 pb-1">{t('import.settings')}</legend>
          {parts.map(({ part, title, facts, text }) => (
            <div key={part}>
              <label className={checkLabel()}>
                <input
                  className={checkBox()}
                  type="checkbox"
                  checked={taken.includes(part)}
                  onChange={(event) => onTake(part, event.target.checked)}
                />{' '}
                <SentenceText text={title} />
              </label>
              <ul className="ps-7 text-sm text-muted wrap-anywhere">
                {facts.map((fact) => (
                  <li key={fact}>{fact}</li>
                ))}
              </ul>
              {text === undefined ? null : <TextExcerpt label={title} text={text} />}
            </div>
          ))}
        </fieldset>
      )}
    </>
  )
}

function contentWords({ exported, files }: UnpackedChat): string {
  const { messages } = exported
  return t('import.content', {
    messages: Array.isArray(messages) ? messages.length : 0,
    files: files.length,
    bytes: files.reduce((sum, { data }) => sum + data.byteLength, 0),
  })
}
