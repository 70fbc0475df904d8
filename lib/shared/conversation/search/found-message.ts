import type { SnippetPart } from './cut-snippet'

/** A message that holds what was looked for. */
export interface FoundMessage {
  readonly conversationId: string
  /** Of its chat. */
  readonly title: string
  readonly messageId: string
  /** Who said it: the person, the model, or tools whose results were taken back. */
  readonly by: 'you' | 'model' | 'tools'
  /** Epoch milliseconds. */
  readonly at: number
  /** Its chat is put away. */
  readonly archived?: true
  readonly snippet: readonly SnippetPart[]
}

/** Newest first. */
export interface FoundPage {
  readonly found: readonly FoundMessage[]
  /** The `after` of the next page; null: that is all. */
  readonly next: string | null
  /** Many messages wait for their words to be read: some are not found yet. */
  readonly filling?: true
}

/** Messages of one answer. */
export const foundPage = 30
