import { ForeignText } from '@/components/ui/text/foreign-text'
import { visibleText } from '@/lib/base/untrusted-text/foreign-text'
import { invisibleText } from '@/lib/i18n/invisible-text'
import { t } from '@/lib/i18n/t'
import { useEffect, useMemo, useState, type ReactNode } from 'react'
import { useConversation, useChat } from '@/components/context/chat-context'
import { useToolRuntime } from '@/components/context/tool-runtime-context'
import { Icon } from '@/components/ui/controls/icon'
import { chip } from '@/components/ui/recipes/recipe'
import { IconButton, TextButton } from '@/components/ui/controls/button'
import { TextExcerpt } from '@/components/ui/text/text-excerpt'
import { encodingLabels } from '@/lib/base/text/encoding-names'
import { formatBytes } from '@/lib/base/text/locale'
import { pictureTokens, sentSize } from '@/lib/shared/conversation/attached'
import type { Attachment } from '@/lib/shared/conversation/conversation'
import {
  asSent,
  sharedContentOf,
  sharedContentText,
  type DraftFile,
  type SharedContent,
} from '@/lib/shared/prompt/shared-content'
import { attachmentFolder } from '@/lib/client/files/attach/attach-files'
import { isInside, nameOf } from '@/lib/vfs/path'
import { SentenceWith } from '../sentence-with'
import { isPastedText } from './use-attached'
import { Spinner } from '@/components/ui/page/wait'
import { seesImages } from '@/lib/shared/models/sees-images'

export interface AttachedListProps {
  readonly files: readonly DraftFile[]
  /** Contents are not sent unless the user says otherwise. */
  readonly isGated: boolean
  readonly onRemove: (path: string) => void
  readonly onContent: (path: string, content: 'goes' | 'stays') => void
  /** Replaces the file with its text in the message. */
  readonly onInsert: (path: string) => void
}

/** The attached files, each with how much of it is sent. */
export function AttachedList({ files, isGated, onRemove, onContent, onInsert }: AttachedListProps) {
  return (
    <ul className="flex max-h-52 flex-wrap gap-2 overflow-y-auto p-0.5" aria-label={t('attach.list')}>
      {files.map((file) => (
        <AttachedFile
          key={file.path}
          file={file}
          isGated={isGated}
          onRemove={() => onRemove(file.path)}
          onContent={(content) => onContent(file.path, content)}
          onInsert={() => onInsert(file.path)}
        />
      ))}
    </ul>
  )
}

interface AttachedFileProps extends LeavesProps {
  readonly onRemove: () => void
  readonly onInsert: () => void
}

function AttachedFile({ file, isGated, onRemove, onContent, onInsert }: AttachedFileProps) {
  const [pixels, setPixels] = useState<Pixels | null>(null)
  return (
    <li data-attached="" className="grid max-w-full min-w-0 content-start gap-0.5">
      {/* Above the touch area of the line below it, which would cover the button's edge. */}
      <div className={chip({}, 'relative z-1 justify-self-start pe-0.5')}>
        {file.isImage ? <Thumbnail file={file} onPixels={setPixels} /> : <Icon name="read" className="text-muted" />}
        <span className="truncate" data-tip={visibleText(file.path, 'name')} dir="auto">
          <ForeignText text={isInside(file.path, attachmentFolder) ? nameOf(file.path) : file.path} />
        </span>
        <span className="flex-none text-muted tabular-nums">{formatBytes(file.size)}</span>
        <IconButton
          icon="cross"
          label={t('attach.remove', { name: visibleText(nameOf(file.path), 'name') })}
          size="sm"
          className="flex-none pointer-coarse:size-9"
          onClick={onRemove}
        />
      </div>
      <Leaves file={file} isGated={isGated} pixels={pixels} onContent={onContent} />
      {isPastedText(file.path) ? (
        <TextButton className="justify-self-start px-0.5" onClick={onInsert}>
          {t('attach.insert')}
        </TextButton>
      ) : null}
      <UnseenLine head={asSent(file, isGated).head ?? ''} path={file.path} />
      <HiddenLine file={file} />
    </li>
  )
}

interface Pixels {
  readonly width: number
  readonly height: number
}

/** Invisible content that is sent with a file. */
function UnseenLine({ head, path }: { readonly head: string; readonly path: string }) {
  const words = useMemo(() => invisibleText(head), [head])
  return words === '' ? null : (
    <AttachLine tone="info" role="status">
      <SentenceWith name={nameOf(path)} say={(name) => t('attach.unseen', { name, words })} />
    </AttachLine>
  )
}

/** Text of a document that its pages don't show. */
const HiddenLine = ({ file }: { readonly file: DraftFile }) => {
  const count = file.document?.hidden ?? 0
  return count === 0 ? null : (
    <AttachLine tone="info" role="status">
      <SentenceWith name={nameOf(file.path)} say={(name) => t('attach.hidden-text', { name, count })} />
    </AttachLine>
  )
}

interface LeavesProps {
  readonly file: DraftFile
  readonly isGated: boolean
  /** A picture's size; null if unknown. */
  readonly pixels?: Pixels | null
  readonly onContent: (content: 'goes' | 'stays') => void
}

/** What is sent, a preview of the text, and the switch. */
function Leaves({ file, isGated, pixels = null, onContent }: LeavesProps) {
  const [shown, setShown] = useState(false)
  const isSeen = useSeesImages() !== false
  const sent = asSent(file, isGated)
  const goes = sharedContentOf(sent)
  const could = sharedContentOf(file)
  const hasText = goes.kind === 'text' || goes.kind === 'document'
  const shownName = visibleText(nameOf(file.path), 'name')
  return (
    <div>
      <p className="flex flex-wrap gap-x-3 px-0.5 text-sm text-muted">
        {hasText && sent.head !== '' ? (
          <TextButton
            aria-expanded={shown}
            aria-label={t('attach.text-of', { name: shownName })}
            onClick={() => setShown(!shown)}
          >
            {sharedContentText(goes, 'does')}
          </TextButton>
        ) : (
          <span>{sharedContentText(goes.kind === 'picture' && !isSeen ? onlyName : goes, 'does')}</span>
        )}
        {goes.kind === 'picture' && isSeen && pixels !== null ? (
          <span>{t('attach.picture-size', { ...sentSize(pixels), tokens: pictureTokens(pixels) })}</span>
        ) : null}
        {goes.kind === 'text' && sent.written && sent.written.encoding !== 'utf-8' ? (
          <span>{t('attach.read-as', { encoding: encodingLabels[sent.written.encoding] })}</span>
        ) : null}
        {could.kind === 'name' ? null : goes.kind === 'name' ? (
          <TextButton
            aria-label={t('attach.offer-of', { offer: offerWords(could), name: shownName })}
            onClick={() => onContent('goes')}
          >
            {offerWords(could)}
          </TextButton>
        ) : (
          <TextButton aria-label={t('attach.dont-of', { name: shownName })} onClick={() => onContent('stays')}>
            {t('attach.dont')}
          </TextButton>
        )}
      </p>
      {shown && hasText && sent.head !== null ? (
        <TextExcerpt label={t('attach.goes-of', { name: nameOf(file.path) })} text={sent.head} />
      ) : null}
    </div>
  )
}

const onlyName: SharedContent = { kind: 'name', format: null }

function offerWords(could: SharedContent): string {
  switch (could.kind) {
    case 'picture':
      return t('attach.offer.picture')
    case 'text':
      return could.whole ? t('attach.offer.all') : t('attach.offer.first', { bytes: could.bytes })
    case 'document':
      return t('attach.offer.document')
    case 'name':
      return ''
  }
}

/** A stored picture; an icon until it is loaded, or if the browser can't show it. */
function Thumbnail({ file, onPixels }: { readonly file: Attachment; readonly onPixels: (pixels: Pixels) => void }) {
  const id = useConversation((view) => view.id)
  const runtime = useToolRuntime()
  const [address, setAddress] = useState<string | null>(null)
  const { path, mediaType } = file

  useEffect(() => {
    let made: string | null = null
    let wanted = true
    const show = async () => {
      const { vfs } = await runtime(id)
      const found = await vfs.read(path)
      if (!wanted || !found.ok) return
      made = URL.createObjectURL(new Blob([new Uint8Array(found.value)], { type: mediaType }))
      setAddress(made)
    }
    // The chip is useful without its picture.
    show().catch(() => {})
    return () => {
      wanted = false
      if (made !== null) URL.revokeObjectURL(made)
    }
  }, [id, runtime, path, mediaType])

  if (address === null) return <Icon name="image" className="text-muted" />
  return (
    <picture className="contents">
      <img
        className="-ms-1.5 size-7 flex-none rounded-sm bg-hover object-cover"
        src={address}
        alt=""
        onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => onPixels({ width, height })}
        onError={() => setAddress(null)}
      />
    </picture>
  )
}

interface AttachLineProps {
  /** `busy` and `quiet` are passing states; `info` and `bad` are for reading. */
  readonly tone: 'busy' | 'quiet' | 'info' | 'bad'
  readonly role?: 'status' | 'alert'
  readonly onDismiss?: () => void
  readonly children: ReactNode
}

/** A sentence about the files of the next message. */
export function AttachLine({ tone, role, onDismiss, children }: AttachLineProps) {
  const isRead = tone === 'info' || tone === 'bad'
  return (
    <p className="flex items-start gap-2 text-sm text-muted [&>svg]:my-0.5" role={role}>
      {tone === 'busy' ? (
        <Spinner />
      ) : (
        <Icon name={tone === 'bad' ? 'warn' : 'info'} className={tone === 'bad' ? 'text-danger' : ''} />
      )}
      <span className={`min-w-0 flex-1 wrap-anywhere ${isRead ? 'text-text' : ''}`}>{children}</span>
      {onDismiss ? (
        <IconButton icon="cross" label={t('attach.dismiss')} size="xs" className="flex-none" onClick={onDismiss} />
      ) : null}
    </p>
  )
}

/** Whether the open chat's model receives images; null until its models are listed. */
function useSeesImages(): boolean | null {
  const settings = useConversation((view) => view.conversation?.settings ?? null)
  const models = useChat((state) => state.models?.models ?? null)
  if (!settings || !models) return null
  return seesImages(
    settings,
    models.find(({ id }) => id === settings.model),
  )
}
