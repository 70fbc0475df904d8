import type { ConversationExport } from '@/lib/shared/conversation/wire/api-types'
import type { ForeignProblem, ForeignSource } from './foreign-chat'

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
