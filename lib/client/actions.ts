import type { ConversationSettings } from '@/lib/chat/conversation'

/** Everything a person can cause. Implemented by `controller.ts` (chat) and lib/tool-calls (calls); never throws. */
export interface ChatActions {
  open(conversationId: string | null): void
  newChat(): void
  /** False when it was refused at once (a reply is running, nothing typed); the composer then keeps its text. */
  send(text: string): boolean
  stop(): void
  /** After a failed send or a failed reply. */
  retry(): void
  regenerate(replyId: string): void
  edit(userMessageId: string, text: string): void
  switchBranch(messageId: string): void
  rename(conversationId: string, title: string): Promise<void>
  remove(conversationId: string): Promise<void>
  search(query: string): void
  updateSettings(settings: ConversationSettings): Promise<void>
  dismissProblem(): void
}

export interface CallActions {
  /** Runs calls of one message in the given order, one after the other; stops at the first failure if asked to. */
  run(messageId: string, slots: readonly number[], options?: { stopAtFailure?: boolean }): void
  deny(messageId: string, slots: readonly number[], reason: string): void
  stop(messageId: string, slot: number): void
  /** After `interrupted`, `cancelled`: a deliberate second attempt. */
  runAgain(messageId: string, slot: number): void
  /** Settles an interrupted or not runnable call as it is, so that the model hears of it. */
  tellModel(messageId: string, slot: number): void
  /**
   * Tells whether a tab of this browser runs the call right now, at once and on every change, until unsubscribed.
   * When it turns free the call's record is loaded again, so that a card never waits for a tab that is gone.
   */
  watchRunner(messageId: string, slot: number, onChange: (held: boolean) => void): () => void
}
