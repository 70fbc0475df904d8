import type { ConversationExport } from '@/lib/shared/conversation/wire/api-types'
import type { ForeignProblem, ForeignSource } from './foreign-chat'
import { loadZipLibrary } from '@/lib/client/files/zip/zip-library'

/** What is told of a chat before it is taken in. */
export interface FoundChat {
  /** Its place in the file, from 0. */
  readonly number: number
  /** The one that it will have here. */
  readonly id: string
  readonly source: ForeignSource
  readonly title: string
  readonly updatedAt: number
  readonly messages: number
}

export interface BrokenChat {
  readonly number: number
  readonly title: string
  readonly why: ForeignProblem
}

export type ForeignAsk =
  | { readonly kind: 'scan'; readonly file: Blob }
  /** Gives those chats one by one, the next when it is asked for. */
  | { readonly kind: 'take'; readonly file: Blob; readonly numbers: readonly number[] }
  | { readonly kind: 'next' }

export type ForeignImportReply =
  /** Of the bytes of the file, packed as they are. */
  | { readonly kind: 'progress'; readonly share: number; readonly chats: number }
  | {
      readonly kind: 'scanned'
      readonly found: readonly FoundChat[]
      readonly broken: readonly BrokenChat[]
      readonly isWhole: boolean
    }
  | { readonly kind: 'chat'; readonly number: number; readonly id: string; readonly exported: ConversationExport }
  | { readonly kind: 'taken' }
  | { readonly kind: 'failed'; readonly why: 'no-chats' | 'unreadable' }

export interface ForeignWorkerPort {
  postMessage(ask: ForeignAsk): void
  onmessage: ((event: { readonly data: ForeignImportReply }) => void) | null
  onerror: ((event: unknown) => void) | null
  terminate(): void
}

/**
 * Whether a file is an export of another product's chats, or may be one, as far as its beginning or its list of names says. Rejects
 * where the code to look into a zip did not come.
 */
export async function isForeignFile(file: Blob): Promise<boolean> {
  const begin = await file.slice(0, 4_096).text()
  if (!begin.startsWith('PK')) return /^\s*[[{]/.test(begin) && !/"format"\s*:\s*"nod-/.test(begin)
  const library = await loadZipLibrary()
  const reader = new library.ZipReader(new library.BlobReader(file), { filenameValidation: 'tolerant' })
  try {
    for await (const { filename } of reader.getEntriesGenerator()) {
      if (filename === 'conversation.json') return false
      if (/(?:^|\/)conversations(?:-\d+)?\.json$/.test(filename)) return true
    }
    return false
  } catch {
    // Whoever reads zips of Nod says what is wrong with it.
    return false
  } finally {
    await reader.close()
  }
}
