import { isRecord } from '@/lib/base/json'
import { t } from '@/lib/i18n/t'
import type { Result } from '@/lib/base/result'
import type { IncomingFile } from '../place-files'
import type { readZip, ZipContents, ZipLimits } from '../zip/read-zip'
import { names, bytesToBase64 } from './pack-chat'
import { joinPath } from '@/lib/vfs/path'
import { type FileChange, type Vfs, vfsLimits } from '@/lib/vfs/vfs'

/** The limits of the workspace, plus what a server accepts of a chat. */
export const chatZipLimits: ZipLimits = {
  maxFiles: vfsLimits.maxFiles + 5_000,
  maxFileBytes: vfsLimits.maxFileBytes,
  maxTotalBytes: vfsLimits.maxTotalBytes + 100_000_000,
}

export interface UnpackedChat {
  /** As it was in the file; the server checks it. */
  readonly exported: Readonly<Record<string, unknown>>
  readonly title: string
  /** Of the workspace, with paths relative to its root. */
  readonly files: readonly IncomingFile[]
  readonly folders: readonly string[]
  /** What was left out, each a sentence. */
  readonly skipped: readonly string[]
}

type Unpacked = Result<UnpackedChat, string>

const noChat = (): Unpacked => ({ ok: false, error: t('zip.no-chat') })

/** Reads an export: the zip, or the conversation alone as JSON. Rejects only with the signal's reason. */
export async function unpackChat(
  blob: Blob,
  ports: {
    readonly readZip: typeof readZip
    readonly signal: AbortSignal
    readonly onProgress: (files: number) => void
  },
): Promise<Unpacked> {
  const isZip = (await blob.slice(0, 2).text()) === 'PK'
  if (!isZip) {
    if (blob.size > vfsLimits.maxFileBytes) return noChat()
    return chatOf(await blob.text(), { files: [], folders: [], skipped: [] })
  }
  const { signal, onProgress } = ports
  const read = await ports.readZip(blob, chatZipLimits, { signal, onProgress: ({ files }) => onProgress(files) })
  if (!read.ok) return { ok: false, error: read.error.message }
  const conversation = read.value.files.find(({ path }) => path === names.conversation)
  return conversation ? chatOf(new TextDecoder().decode(conversation.data), read.value) : noChat()
}

function chatOf(text: string, { files, folders, skipped }: ZipContents): Unpacked {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return noChat()
  }
  if (!isRecord(value) || value['format'] !== 'nod-conversation') return noChat()
  const { conversation, images } = value
  const title = isRecord(conversation) && typeof conversation['title'] === 'string' ? conversation['title'] : ''
  const byPath = new Map(files.map(({ path, data }) => [path, data]))
  const whole = Array.isArray(images) ? { ...value, images: images.map((image) => withData(image, byPath)) } : value
  return {
    ok: true,
    value: {
      exported: whole,
      title,
      files: files.flatMap(({ path, data }) =>
        isWorkspace(path) ? [{ path: path.slice(names.files.length), data }] : [],
      ),
      folders: folders.flatMap((path) => (isWorkspace(path) ? [path.slice(names.files.length)] : [])),
      skipped: skipped.map(({ name, why }) => t('zip.left-out', { name, why })),
    },
  }
}

const isWorkspace = (path: string): boolean => path.startsWith(names.files) && path.length > names.files.length

/** An image whose file is missing stays without data, and the server says so. */
function withData(image: unknown, byPath: ReadonlyMap<string, Uint8Array>): unknown {
  if (!isRecord(image) || typeof image['file'] !== 'string') return image
  const { file, ...rest } = image
  const data = byPath.get(file)
  return data ? { ...rest, data: bytesToBase64(data) } : rest
}

/** Puts the files of an imported chat in place, all or none. Returns a sentence if there is no space, else null. */
export async function placeImported(
  vfs: Vfs,
  { files, folders }: Pick<UnpackedChat, 'files' | 'folders'>,
): Promise<string | null> {
  const steps: FileChange[] = [
    ...folders.map((path): FileChange => ({ kind: 'makeDirectory', path: joinPath('/', path) })),
    ...files.map(({ path, data }): FileChange => ({ kind: 'write', path: joinPath('/', path), data })),
  ]
  if (steps.length === 0) return null
  const done = await vfs.apply(steps)
  return done.ok ? null : done.error.message
}
