import { ForeignText } from '@/components/ui/foreign-text'
import { visibleText } from '@/lib/base/foreign-text/foreign-text'
import { unseenWords } from '@/lib/base/foreign-text/unseen-words'
import { useEffect, useMemo, useState } from 'react'
import { useChat } from '@/components/chat/chat-context'
import { useToolRuntime } from '@/components/tool-call/tool-runtime-context'
import { Icon } from '@/components/ui/icon'
import { IconButton } from '@/components/ui/icon-button'
import { formatBytes } from '@/lib/base/format-bytes'
import type { Attachment } from '@/lib/chat/conversation'
import { nameOf } from '@/lib/vfs/path'

/** Files that wait to be sent. */
export function AttachedList({
  files,
  onRemove,
}: {
  readonly files: readonly Attachment[]
  readonly onRemove: (path: string) => void
}) {
  return (
    <>
      <ul className="file-chips" aria-label="Attached files">
        {files.map((file) => (
          <li key={file.path} className="file-chip">
            {file.isImage ? <Thumbnail file={file} /> : <Icon name="read" />}
            <span className="cut" title={visibleText(file.path, 'name')} dir="auto">
              <ForeignText text={nameOf(file.path)} />
            </span>
            <span className="muted num">{formatBytes(file.size)}</span>
            <IconButton icon="cross" label={`Remove ${nameOf(file.path)}`} onClick={() => onRemove(file.path)} />
          </li>
        ))}
      </ul>
      {files.map((file) => (
        <UnseenLine key={file.path} file={file} />
      ))}
    </>
  )
}

/** What the head of a file, which goes along with the message, holds and does not show. */
function UnseenLine({ file }: { readonly file: Attachment }) {
  const words = useMemo(() => unseenWords(file.head ?? ''), [file.head])
  return words === '' ? null : (
    <p className="attach-line" role="status">
      <Icon name="info" />
      <span>
        <ForeignText text={nameOf(file.path)} /> holds {words}. A model reads them too.
      </span>
    </p>
  )
}

/** The picture as it lies in the files; a glyph until it is read, and where the browser can't show it. */
function Thumbnail({ file }: { readonly file: Attachment }) {
  const id = useChat(({ view }) => view.id)
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
    // Without its picture a chip still says what it is.
    show().catch(() => {})
    return () => {
      wanted = false
      if (made !== null) URL.revokeObjectURL(made)
    }
  }, [id, runtime, path, mediaType])

  if (address === null) return <Icon name="image" />
  return (
    <picture>
      <img src={address} alt="" onError={() => setAddress(null)} />
    </picture>
  )
}
