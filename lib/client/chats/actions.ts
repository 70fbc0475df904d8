import type { Result } from '@/lib/base/result'
import type { AttachmentToSend, ReplyChoice } from '@/lib/shared/conversation/wire/api-types'
import type { GiveEffectsGrant, ReleaseResult, QuestionAnswer } from '@/lib/shared/conversation/wire/call-requests'
import type { ContextMarks } from '@/lib/shared/conversation/settings/context-marks'
import type { JsonValue } from '@/lib/base/json'
import type { ConversationSettings } from '@/lib/shared/conversation/conversation'
import type { DecidedBy, GrantScope } from '@/lib/shared/conversation/call-record'
import type { InnerDecision } from '@/lib/shared/calls/call-state'
import type { Delivery } from '../outbox/delivery'
import type { CallToWrite } from '@/lib/protocols/types/tool-context-def'

/**
 * Why a message was refused at once: it is empty, its chat is not loaded (`busy`, `not-found`), it is an edit during a
 * reply (`busy`), or it is an edit while an earlier message waits.
 */
export type AppendRefusal = 'empty' | 'busy' | 'message-waiting' | 'not-found'

/** The result of sending a message. */
export type AppendResult =
  /**
   * The message is shown and in the outbox, which survives a reload. `delivery` settles after the first tries to reach
   * the server.
   */
  | { readonly status: 'stored'; readonly messageId: string; readonly delivery: Promise<Delivery> }
  | { readonly status: 'refused'; readonly reason: AppendRefusal }

/** Actions in the thread of the open chat. The page's own buttons and assistant-ui's hooks both use them. */
export interface ThreadActions {
  /** Sends a user message. A refused message is not stored: the composer keeps its text. Never rejects. */
  readonly append: (text: string, attachments?: readonly AttachmentToSend[]) => Promise<AppendResult>
  /** Stops all replies of the chat that are being written, or one of them. */
  readonly stop: (runId?: string) => void
  /** Retries a failed send or a failed reply. */
  readonly retry: () => void
  /** Writes another version of a reply. `as`: with another model or in another format; the chat's settings stay. */
  readonly regenerate: (replyId: string, as?: ReplyChoice) => void
  /** Sends other text in place of a user message, as a new branch. */
  readonly edit: (userMessageId: string, text: string) => Promise<AppendResult>
  readonly switchBranch: (messageId: string) => void
}

/** Everything a user can do. Implemented by `controller.ts` (chat) and lib/client/calls (calls); never throws. */
export interface ChatActions extends ThreadActions {
  readonly open: (conversationId: string | null) => void
  readonly newChat: () => void
  /** Writes a version of a reply beside others that are being written. Resolves with its id, or why it was refused. */
  readonly writeBeside: (replyId: string, as: ReplyChoice) => Promise<Result<string, string>>
  /** Makes the shown new chat, in which nothing was sent, a temporary one or an ordinary one. */
  readonly setTemporary: (on: boolean) => void
  /** Makes the shown temporary chat an ordinary one, with its files. */
  readonly keepChat: () => Promise<void>
  /**
   * Ends the chat at this message (null: before the first one); the next message begins a branch there. Returns false
   * if that is not possible now.
   */
  readonly goBackTo: (messageId: string | null) => boolean
  /** Adds a sentence to the draft. */
  readonly addToDraft: (text: string) => void
  readonly rename: (conversationId: string, title: string) => Promise<void>
  /** Deletes chats for everyone; this can be undone for a while (`lib/client/api/deletions.ts`). */
  readonly remove: (conversationIds: readonly string[]) => Promise<void>
  /** Called when a deletion can no longer be undone: deletes this browser's data of the chats, their files included. */
  readonly forgetForGood: (conversationIds: readonly string[]) => Promise<void>
  /** Reloads the list of chats after a change, here and in the other tabs. */
  readonly listChanged: () => void
  readonly search: (query: string) => void
  /** Loads more of the list of chats, if there is more. Returns whether that succeeded. */
  readonly moreChats: () => Promise<boolean>
  /** Returns a sentence if the settings could not be stored, else null; they are then as before. */
  readonly updateSettings: (settings: ConversationSettings) => Promise<string | null>
  /**
   * Sets which messages of the shown chat are no longer sent to models, and which are always sent; null: all are sent.
   * Returns a sentence if it could not be stored, else null.
   */
  readonly updateMarks: (marks: ContextMarks | null) => Promise<string | null>
  readonly dismissProblem: () => void
  /** Asks the server again for its models. Resolves when it answered or could not. */
  readonly reloadModels: () => Promise<void>
  /** Tries now to send the waiting messages. */
  readonly sendWaiting: () => void
  /** Replaces the text of a waiting message. Returns false if it is being sent at this moment. */
  readonly rewriteWaiting: (messageId: string, text: string) => Promise<boolean>
  readonly discardWaiting: (messageId: string) => Promise<boolean>
  /** Holds a waiting message while it is edited, or releases it. Returns false if it is being sent at this moment. */
  readonly holdWaiting: (messageId: string, held: boolean) => Promise<boolean>
  /**
   * Sends a message before the others that wait: a reply that is being written is stopped, and waiting calls are
   * skipped.
   */
  readonly sendNow: (messageId: string) => Promise<boolean>
}

export interface RunOptions {
  readonly stopAtFailure?: boolean
  /** Left out: a click. A map gives it slot by slot, for calls that start together for different reasons. */
  readonly by?: DecidedBy | ReadonlyMap<number, DecidedBy>
  /**
   * The user's input, slot by slot, for calls that ask for it. A call that was interrupted meanwhile runs once more
   * with it.
   */
  readonly answers?: ReadonlyMap<number, JsonValue>
}

/** The decision on a copy. */
export type CopyDecision =
  | {
      readonly kind: 'discard'
      /** Another device answered so, by a link. */
      readonly isRequested?: true
    }
  | {
      readonly kind: 'keep'
      /** Null: all. */
      readonly paths: ReadonlySet<string> | null
      /** The user knows that files were edited after the copy was made, and wants the copy's changes anyway. */
      readonly overEdits: boolean
      readonly isRequested?: true
    }
  /** The grant under which it began decides; changes beyond it are left to the user. */
  | { readonly kind: 'by-grant' }

/** How calls begin a copy, other than by a click on "Work on a copy". */
export interface CopyBegin {
  /** The id of the grant by which it begins without a click. */
  readonly under?: string
  /** The user chose it with the message of the task. */
  readonly chosen?: true
  /** With either: the calls that another rule runs; the copy's own grant runs the rest. */
  readonly by?: ReadonlyMap<number, DecidedBy>
  /** Results wait after each reply. */
  readonly isPreview?: true
}

export interface CallActions {
  /**
   * Runs calls of one message in the given order: one after the other, or in parallel where the conversation's settings
   * say so. Stops at the first failure if asked to.
   */
  readonly run: (messageId: string, slots: readonly number[], options?: RunOptions) => void
  /**
   * The user allows more rounds of tool calls: these calls, which would run automatically, run as if clicked, and the
   * results of the reply may be sent.
   */
  readonly continueRounds: (messageId: string, slots: readonly number[]) => void
  /**
   * Records the file versions that a card shows for its call. A click on Run is refused if those files have changed by
   * then.
   */
  readonly look: (messageId: string, slot: number, basis: ReadonlyMap<string, string>) => void
  /** Skips calls, so that the other results can be sent to the model without them. */
  readonly skip: (messageId: string, slots: readonly number[]) => void
  /** Denies calls. Without a reason, the results of the reply wait a few seconds for one (`explain`). */
  readonly deny: (messageId: string, slots: readonly number[], reason: string) => void
  /**
   * Adds a reason to a denial that was made without one, until it is sent to the model. Returns a sentence if it could
   * not be stored, else null.
   */
  readonly explain: (messageId: string, slot: number, reason: string) => Promise<string | null>
  /**
   * Call it while a reason is being written: the results wait, in every tab of this browser, until the returned
   * function is called.
   */
  readonly holdForReason: (messageId: string, slot: number) => () => void
  /**
   * Stops a running call and cancels calls that were started with it and have not begun; removes a waiting call from
   * the queue.
   */
  readonly stop: (messageId: string, slot: number) => void
  /** Keeps or discards the file changes of a call that wait for review. */
  readonly answerReview: (messageId: string, slot: number, answer: 'keep' | 'discard') => void
  /** Answers a question that the server running a call asked the user. */
  readonly answerQuestion: (messageId: string, slot: number, answer: QuestionAnswer) => void
  /** Decides on a tool that running code calls; `n`: its number. */
  readonly answerInner: (messageId: string, slot: number, n: number, decision: InnerDecision) => void
  /** Whether the images of a call's result are sent with it to models with vision; as long as this page is open. */
  readonly showPictures: (messageId: string, slot: number, isShown: boolean) => void
  /** Runs `interrupted` or `cancelled` calls again: a deliberate second attempt. */
  readonly runAgain: (messageId: string, ...slots: readonly number[]) => void
  /** Settles interrupted, cancelled or unrunnable calls as they are, so that the model is informed. */
  readonly notifyModel: (messageId: string, ...slots: readonly number[]) => void
  /**
   * Stores the user's edit of a call (null: accept a quoted or foreign call as it is; `undo`: restore what the model
   * wrote). Returns a sentence if it could not be stored, else null.
   */
  readonly amend: (messageId: string, slot: number, call: CallToWrite | null | 'undo') => Promise<string | null>
  /**
   * Releases a gated result to the model, edited or whole, or withholds it. Returns a sentence if it could not be
   * stored.
   */
  readonly release: (messageId: string, slot: number, release: ReleaseResult['release']) => Promise<string | null>
  /**
   * Runs this call as if clicked, and remembers the approval for similar calls in later replies of this conversation.
   * Other waiting calls run only if `alsoRun` names them.
   */
  readonly remember: (
    messageId: string,
    slot: number,
    kind: GrantScope['kind'],
    alsoRun?: readonly number[],
  ) => Promise<string | null>
  readonly revokeGrant: (grantId: string) => Promise<string | null>
  /**
   * Makes the chat work on a copy of its files: these calls run on it as if clicked, and calls of later replies run
   * automatically where the server agrees. Returns a sentence if it could not begin.
   */
  readonly workOnCopy: (messageId: string, slots: readonly number[], begin?: CopyBegin) => Promise<string | null>
  /** Remembers that later tasks begin on a copy, and which of their changes are kept without asking. */
  readonly allowEffects: (grant: Omit<GiveEffectsGrant, 'id'>) => Promise<string | null>
  /** Keeps or discards the changes that the chat's calls made on the copy. Returns a sentence if that failed. */
  readonly endCopy: (copyId: string, word: CopyDecision) => Promise<string | null>
  /**
   * Asks whether a call was decided on another device. A call that was approved there runs here. Returns true if it was
   * decided or no longer exists.
   */
  readonly checkLookAnswer: (messageId: string, slot: number) => Promise<boolean>
  /**
   * Reports whether a tab of this browser runs the call, at once and on every change, until unsubscribed. When no tab
   * runs it any more, the call's record is loaded again, so that a card never waits for a closed tab.
   */
  readonly watchRunner: (messageId: string, slot: number, onChange: (held: boolean) => void) => () => void
}
