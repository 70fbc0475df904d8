import type {
  AttachmentToSend,
  GiveEffectsGrant,
  ReleaseResult,
  ReplyChoice,
} from '@/lib/shared/conversation/wire/api-types'
import type { ContextMarks } from '@/lib/shared/conversation/settings/context-marks'
import type { JsonValue } from '@/lib/base/json'
import type { ConversationSettings, DecidedBy, GrantScope } from '@/lib/shared/conversation/conversation'
import type { QuestionAnswer } from '@/lib/shared/mcp/server-question'
import type { Delivery } from '../outbox/delivery'
import type { CallToWrite } from '@/lib/protocols/types/tool-context-def'

/**
 * Why a message was refused at once: it is empty, its chat is not loaded (`busy`, `not-found`), or it is an edit while a reply is
 * written (`busy`) or an earlier message waits.
 */
export type AppendRefusal = 'empty' | 'busy' | 'message-waiting' | 'not-found'

/** What became of a message. */
export type AppendResult =
  /** It is shown and in the outbox, which survives a reload. `delivery` settles after the first tries to reach the server. */
  | { readonly status: 'stored'; readonly messageId: string; readonly delivery: Promise<Delivery> }
  | { readonly status: 'refused'; readonly reason: AppendRefusal }

/** What happens in the thread of the open chat; the page's own buttons and assistant-ui's hooks both end here. */
export interface ThreadActions {
  /** Sends a user message. Of a refused one nothing is stored: the composer keeps its text. Never rejects. */
  readonly append: (text: string, attachments?: readonly AttachmentToSend[]) => Promise<AppendResult>
  readonly stop: () => void
  /** After a failed send or a failed reply. */
  readonly retry: () => void
  /** `as`: by another model or in another format, as a version beside it; the settings of the chat stay. */
  readonly regenerate: (replyId: string, as?: ReplyChoice) => void
  /** Appends other text beside a user message, as a new branch. */
  readonly edit: (userMessageId: string, text: string) => Promise<AppendResult>
  readonly switchBranch: (messageId: string) => void
}

/** Everything a person can cause. Implemented by `controller.ts` (chat) and lib/client/calls (calls); never throws. */
export interface ChatActions extends ThreadActions {
  readonly open: (conversationId: string | null) => void
  readonly newChat: () => void
  /** Whether the new chat that is shown, in which nothing was sent, is to be a temporary one. */
  readonly setTemporary: (on: boolean) => void
  /** The temporary chat that is shown becomes an ordinary one, with its files. */
  readonly keepChat: () => Promise<void>
  /** Ends the chat at this message (null: before the first one); the next message begins a branch there. False: not now. */
  readonly goBackTo: (messageId: string | null) => boolean
  /** Adds a sentence to what is being typed. */
  readonly addToDraft: (text: string) => void
  readonly rename: (conversationId: string, title: string) => Promise<void>
  /** They are gone for everyone, and can be taken back for a while (`lib/client/api/deletions.ts`). */
  readonly remove: (conversationIds: readonly string[]) => Promise<void>
  /** Nobody takes them back any more: what this browser keeps of them goes, their files too. */
  readonly forgetForGood: (conversationIds: readonly string[]) => Promise<void>
  /** Something in the list changed: asks for it again, here and in the other tabs. */
  readonly listChanged: () => void
  readonly search: (query: string) => void
  /** More of the list of chats, where there is more. Gives whether it could be loaded. */
  readonly moreChats: () => Promise<boolean>
  /** Gives a sentence when they could not be stored, else null; they are then as before. */
  readonly updateSettings: (settings: ConversationSettings) => Promise<string | null>
  /**
   * What models are sent no more of the shown chat, and what stays; null: all is sent. Gives a sentence when it could not be
   * stored, else null.
   */
  readonly updateMarks: (marks: ContextMarks | null) => Promise<string | null>
  readonly dismissProblem: () => void
  /** Asks the server again which models there are. Resolves when it answered or could not. */
  readonly reloadModels: () => Promise<void>
  /** Tries now what waits to be sent. */
  readonly sendWaiting: () => void
  /** Other words in the place of what waits to be sent. False: it is on its way at this moment. */
  readonly rewriteWaiting: (messageId: string, text: string) => Promise<boolean>
  readonly discardWaiting: (messageId: string) => Promise<boolean>
  /** Keeps what waits from going while it is edited, and lets it go again. False: it is on its way at this moment. */
  readonly holdWaiting: (messageId: string, held: boolean) => Promise<boolean>
  /** Sends it before the others that wait: a reply that is being written is stopped, calls that wait are skipped. */
  readonly sendNow: (messageId: string) => Promise<boolean>
}

export interface RunOptions {
  readonly stopAtFailure?: boolean
  /** Left out: a click. A map says it slot by slot, for calls that start together for different reasons. */
  readonly by?: DecidedBy | ReadonlyMap<number, DecidedBy>
  /** What a person filled in, slot by slot, for calls that ask. One that was cut off by then runs once more with it. */
  readonly answers?: ReadonlyMap<number, JsonValue>
}

/** The decision on a copy. */
export type CopyWord =
  | { readonly kind: 'discard' }
  | {
      readonly kind: 'keep'
      /** Null: all. */
      readonly paths: ReadonlySet<string> | null
      /** The user knows that files were edited after the copy was made, and wants the copy's changes all the same. */
      readonly overEdits: boolean
    }
  /** The kept approval under which it began decides; what goes beyond that is left to the user. */
  | { readonly kind: 'by-grant' }

/** By what calls begin a copy where no click does. */
export interface CopyBegin {
  /** The kept approval. */
  readonly under: string
  /** The calls that another rule runs; the copy's own grant runs the rest. */
  readonly by: ReadonlyMap<number, DecidedBy>
}

export interface CallActions {
  /**
   * Runs calls of one message in the given order: one after the other, or side by side where the conversation says so;
   * stops at the first failure if asked to.
   */
  readonly run: (messageId: string, slots: readonly number[], options?: RunOptions) => void
  /**
   * The user's yes to more rounds of tools: these calls, which would run by themselves, run as by a click, and the results of
   * the reply may go.
   */
  readonly continueRounds: (messageId: string, slots: readonly number[]) => void
  /**
   * What a card shows of the files that its call depends on. A click on Run is refused when something else stands there by
   * then.
   */
  readonly look: (messageId: string, slot: number, basis: ReadonlyMap<string, string>) => void
  /** Leaves calls out, so that what is done can go to the model without them. */
  readonly skip: (messageId: string, slots: readonly number[]) => void
  /** Without a reason, the results of the reply wait a few seconds for one (`explain`). */
  readonly deny: (messageId: string, slots: readonly number[], reason: string) => void
  /**
   * Adds the reason to a denial that went without one, as long as the model was not told. Gives a sentence when it could not
   * be stored, else null.
   */
  readonly explain: (messageId: string, slot: number, reason: string) => Promise<string | null>
  /** A reason is being written: the results wait, in every tab of this browser, until the given function is called. */
  readonly holdForReason: (messageId: string, slot: number) => () => void
  /** Stops a call that runs, and cancels what was started with it and has not begun; takes one that waits out of the line. */
  readonly stop: (messageId: string, slot: number) => void
  /** What becomes of the files that a call changed and that wait for it. */
  readonly answerReview: (messageId: string, slot: number, answer: 'keep' | 'discard') => void
  /** What the server that runs a call asked the user. */
  readonly answerQuestion: (messageId: string, slot: number, answer: QuestionAnswer) => void
  /** Whether the pictures of a call’s result go along with it, for models that see; as long as this page is open. */
  readonly showPictures: (messageId: string, slot: number, isShown: boolean) => void
  /** After `interrupted`, `cancelled`: a deliberate second attempt. */
  readonly runAgain: (messageId: string, ...slots: readonly number[]) => void
  /** Settles interrupted, cancelled or not runnable calls as they are, so that the model hears of them. */
  readonly notifyModel: (messageId: string, ...slots: readonly number[]) => void
  /**
   * Stores what the user made of a call (null: a quoted or foreign call taken as it is; `undo`: as the model wrote it).
   * Gives a sentence when it could not be stored, else null.
   */
  readonly amend: (messageId: string, slot: number, call: CallToWrite | null | 'undo') => Promise<string | null>
  /** Lets a gated result go to the model, changed or whole, or keeps it. Gives a sentence when it could not be stored. */
  readonly release: (messageId: string, slot: number, release: ReleaseResult['release']) => Promise<string | null>
  /**
   * Runs this call, as a click, and remembers a yes for calls like it in later replies of this conversation. Others that
   * wait run only where `alsoRun` names them.
   */
  readonly remember: (
    messageId: string,
    slot: number,
    kind: GrantScope['kind'],
    alsoRun?: readonly number[],
  ) => Promise<string | null>
  readonly revokeGrant: (grantId: string) => Promise<string | null>
  /**
   * From now on the chat works on a copy of its files: these calls run on it as by a click, and calls of later replies by
   * themselves where the server agrees. Gives a sentence when it could not begin.
   */
  readonly workOnCopy: (messageId: string, slots: readonly number[], begin?: CopyBegin) => Promise<string | null>
  /** Remembers that later tasks begin on a copy, and what of their changes is kept without asking. */
  readonly allowEffects: (grant: Omit<GiveEffectsGrant, 'id'>) => Promise<string | null>
  /** Keeps or discards what the chat's calls did on the copy. Gives a sentence when that could not be done. */
  readonly endCopy: (copyId: string, word: CopyWord) => Promise<string | null>
  /**
   * Asks whether a call was decided on another device. What was approved there runs here. True: it was decided, or is gone.
   */
  readonly hearOfLook: (messageId: string, slot: number) => Promise<boolean>
  /**
   * Tells whether a tab of this browser runs the call right now, at once and on every change, until unsubscribed.
   * When it turns free the call's record is loaded again, so that a card never waits for a tab that is gone.
   */
  readonly watchRunner: (messageId: string, slot: number, onChange: (held: boolean) => void) => () => void
}
