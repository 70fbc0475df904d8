import { makeModelMessage, type ModelMessage, asModelMessage } from '@/lib/i18n/t'
import type { JsonObject } from '@/lib/base/json'
import type { ReadableVfs } from '@/lib/vfs/vfs'
import type { VfsError } from '@/lib/vfs/vfs-result'
import type { ToolOutcome } from './tool'
import { nearestPath } from '@/lib/base/text/nearest-path'
import { normalizePath } from '@/lib/vfs/path'

type Failed = Extract<ToolOutcome, { readonly ok: false }>

/** A failure that the model can react to: the sentences, and help beside them. */
export function refuse(
  reason: string,
  refusals: ModelMessage | readonly ModelMessage[],
  help: JsonObject = {},
): Failed {
  const messages = Array.isArray(refusals) ? (refusals as readonly ModelMessage[]) : [refusals as ModelMessage]
  const message = messages.map((one) => one.message).join(' ')
  return { ok: false, reason, message, said: messages, result: { error: message, ...help } }
}

/** The own error text of foreign code, unchanged. */
export const foreignFailure = (reason: string, message: string, help: JsonObject = {}): Failed => ({
  ok: false,
  reason,
  message,
  said: null,
  result: { error: message, ...help },
})

/** The user stopped the call before it did anything. */
export const stoppedBeforeItBegan = (): Failed => refuse('stopped', makeModelMessage('told.stopped-unchanged'))

const signatures: readonly { readonly bytes: readonly number[]; readonly kind: string }[] = [
  { bytes: [0x89, 0x50, 0x4e, 0x47], kind: 'png' },
  { bytes: [0xff, 0xd8, 0xff], kind: 'jpeg' },
  { bytes: [0x47, 0x49, 0x46, 0x38], kind: 'gif' },
  { bytes: [0x25, 0x50, 0x44, 0x46], kind: 'pdf' },
  { bytes: [0x25, 0x21, 0x50, 0x53], kind: 'postscript' },
  { bytes: [0x7b, 0x5c, 0x72, 0x74, 0x66], kind: 'rtf' },
  { bytes: [0x50, 0x4b, 0x03, 0x04], kind: 'zip' },
  { bytes: [0x1f, 0x8b], kind: 'gzip' },
  { bytes: [0x53, 0x51, 0x4c, 0x69, 0x74, 0x65, 0x20, 0x66], kind: 'sqlite' },
]

/** The apparent type and size of binary data. */
interface BinaryKind {
  readonly kind: string
  readonly size: number
}

/** Null for UTF-8 text. */
export function describeBinary(data: Uint8Array): BinaryKind | null {
  const size = data.byteLength
  const known = signatures.find(({ bytes }) => bytes.every((byte, at) => data[at] === byte))
  if (known !== undefined) return { kind: known.kind, size }
  if (!data.includes(0)) {
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(data)
      return null
    } catch {
      // Not UTF-8: as unreadable as any other binary data.
    }
  }
  return { kind: 'binary', size }
}

/** A file failure as a tool outcome; for a missing path, with the nearest existing one. */
export async function failWith(error: VfsError, vfs: ReadableVfs, wanted: WantedKind): Promise<ToolOutcome> {
  if (error.code === 'ENOENT') {
    const nearest = await nearestIn(vfs, error.path, wanted)
    if (nearest !== null)
      return refuse(error.code, makeModelMessage('told.nearest', { wanted, path: error.path, nearest }))
  }
  return refuse(error.code, asModelMessage(error))
}

type WantedKind = 'file' | 'folder' | 'file or folder'

/** The path in `vfs` of this kind whose name is most like the wanted one; null if nothing is near enough. */
async function nearestIn(vfs: ReadableVfs, wanted: string, kind: WantedKind): Promise<string | null> {
  const normal = normalizePath(wanted)
  if (!normal.ok || normal.value === '/') return null
  const tree = await vfs.tree('/')
  if (!tree.ok) return null
  const isMeant = (each: 'file' | 'directory') =>
    kind === 'file or folder' || (each === 'directory') === (kind === 'folder')
  return nearestPath(
    normal.value,
    tree.value.flatMap((entry) => (isMeant(entry.kind) ? [entry.path] : [])),
  )
}
