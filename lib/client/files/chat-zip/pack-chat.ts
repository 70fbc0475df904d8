import { t } from '@/lib/i18n/t'
import { formatBytes } from '@/lib/base/text/locale'
import type { ConversationExport } from '@/lib/shared/conversation/wire/api-types'
import type { MessageImage } from '@/lib/shared/conversation/conversation'
import { hashOfBytes } from '@/lib/shared/record/record-chain'
import type { Vfs, VfsTreeEntry } from '@/lib/vfs/vfs'
import type { createZip, ZipMember } from '../zip/create-zip'

/*
 * An exported chat as a zip:
 *   README.txt          a list of the files
 *   conversation.json   the conversation; pictures are named by their files
 *   log.json            its event log
 *   images/ID-0.png     pictures as sent to models
 *   files/…             the workspace
 *   record.jsonl        the events in a hash chain, with the hash of each file above
 */

export const names = {
  readme: 'README.txt',
  conversation: 'conversation.json',
  log: 'log.json',
  images: 'images/',
  files: 'files/',
  record: 'record.jsonl',
} as const

interface PackedImage extends Omit<MessageImage, 'data'> {
  /** In the zip. */
  readonly file: string
}

interface PackedConversation extends Omit<ConversationExport, 'images'> {
  readonly images?: readonly PackedImage[]
}

const imageFile = ({ messageId, number, mediaType }: Omit<MessageImage, 'data'>): string =>
  `${names.images}${messageId}-${number}.${mediaType === 'image/jpeg' ? 'jpg' : mediaType.slice('image/'.length)}`

/** Whole groups of three bytes, and few enough to be arguments of one function call. */
const PIECE = 3 * 8_192

export function bytesToBase64(data: Uint8Array): string {
  let text = ''
  for (let at = 0; at < data.length; at += PIECE) text += btoa(String.fromCharCode(...data.subarray(at, at + PIECE)))
  return text
}

/** Throws on invalid base64. */
export const base64ToBytes = (text: string): Uint8Array => Uint8Array.from(atob(text), (char) => char.charCodeAt(0))

export interface PackPorts {
  readonly vfs: Vfs
  readonly createZip: typeof createZip
  readonly signal: AbortSignal
  /** Counts the workspace's files. */
  readonly onProgress: (done: number, of: number) => void
  /** A text of Nod's own files, with placeholders for values that the model must not see. */
  readonly hide: (text: string) => string
  /** Writes the record, once the hash of every other member is known. */
  readonly record: (members: readonly PackedMember[]) => Promise<Uint8Array>
}

/** A file of the zip with its hash: `sha256:` and 64 hex digits. */
export interface PackedMember {
  readonly path: string
  readonly bytes: number
  readonly hash: string
}

/** A file that can't be read ends the packing: an incomplete export must not look complete. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile'
}

/** Packs everything of a chat as one zip. Rejects with `UnreadableFile`, or with the signal's reason. */
export async function packChat(exported: ConversationExport, ports: PackPorts): Promise<Blob> {
  const tree = await ports.vfs.tree('/')
  if (!tree.ok) throw new UnreadableFile(t('zip.list-not-exported', { why: tree.error.message }))
  return ports.createZip(recorded(membersOf(exported, tree.value, ports), ports, exported.exportedAt), {
    signal: ports.signal,
  })
}

/** The same members, followed by the record with their hashes: each file is read once. */
function* recorded(
  members: Iterable<ZipMember>,
  { record }: Pick<PackPorts, 'record'>,
  modifiedAt: number,
): Generator<ZipMember> {
  const packed: PackedMember[] = []
  for (const member of members) {
    const read = async () => {
      const data = await member.read()
      packed.push({ path: member.path, bytes: data.byteLength, hash: await hashOfBytes(data) })
      return data
    }
    yield member.path.endsWith('/') ? member : { ...member, read }
  }
  yield { path: names.record, modifiedAt, read: () => record(packed) }
}

function* membersOf(
  exported: ConversationExport,
  tree: readonly VfsTreeEntry[],
  { vfs, onProgress, hide }: PackPorts,
): Generator<ZipMember> {
  const { images = [], ...conversation } = exported
  const at = exported.exportedAt
  const text = (path: string, write: () => string): ZipMember => ({
    path,
    modifiedAt: at,
    read: () => Promise.resolve(new TextEncoder().encode(write())),
  })
  const packed: PackedConversation = {
    ...conversation,
    ...(images.length > 0 && { images: images.map(packedImage) }),
  }
  const files = tree.filter(({ kind }) => kind === 'file')
  yield text(names.readme, () => readme(exported, files))
  yield text(names.conversation, () => JSON.stringify(packed, null, 1))
  yield text(names.log, () => JSON.stringify({ entries: exported.log }, null, 1))
  for (const image of images) {
    yield { path: imageFile(image), modifiedAt: at, read: () => Promise.resolve(base64ToBytes(image.data)) }
  }
  let done = 0
  for (const [index, { path, kind, modifiedAt }] of tree.entries()) {
    const inZip = names.files + path.slice(1)
    if (kind === 'directory') {
      const isEmpty = tree[index + 1]?.path.startsWith(`${path}/`) !== true
      if (isEmpty) yield { path: `${inZip}/`, modifiedAt, read: () => Promise.resolve(new Uint8Array()) }
      continue
    }
    yield {
      path: inZip,
      modifiedAt,
      read: async () => {
        const found = await vfs.read(path)
        if (!found.ok) throw new UnreadableFile(t('zip.not-exported', { path, why: found.error.message }))
        onProgress((done += 1), files.length)
        return path.startsWith(ownFiles) ? hiddenIn(found.value, hide) : found.value
      },
    }
  }
}

/** Results that Nod put into files. The user's own files in the workspace are exported unchanged. */
const ownFiles = '/.nod/'

/** Files that are not text stay unchanged. */
function hiddenIn(data: Uint8Array, hide: (text: string) => string): Uint8Array {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(data)
    const hidden = hide(text)
    return hidden === text ? data : new TextEncoder().encode(hidden)
  } catch {
    return data
  }
}

const packedImage = ({ messageId, number, mediaType }: MessageImage): PackedImage => ({
  messageId,
  number,
  mediaType,
  file: imageFile({ messageId, number, mediaType }),
})

function readme({ conversation, messages, exportedAt }: ConversationExport, files: readonly VfsTreeEntry[]): string {
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  return [
    `Nod: ${conversation.title || 'a chat'}`,
    `Exported ${new Date(exportedAt).toISOString()}`,
    '',
    `${names.conversation}  the chat: ${messages.length} messages with all branches, calls, results and settings`,
    `${names.log}           what was decided, run and sent, in its order`,
    `${names.images}            pictures of messages, as models were sent them`,
    `${names.files}             the workspace: ${files.length} files, ${formatBytes(bytes)}`,
    `${names.record}        what happened, one entry per line in a hash chain; check it on the page /verify of Nod`,
    '',
    'To go on with this chat, choose "Import a chat" in Nod and take this zip. Calls then wait for your click again;',
    'remembered answers are not taken along, nor is the list of changes to files: what was done before cannot be undone there.',
    '',
  ].join('\n')
}
