import type { AppendPlan, StoredBranch } from '@/lib/server/store/ports/conversation-store'
import type { Message, TrimmedPrompt } from '@/lib/shared/conversation/conversation'
import { treeOf, treePathTo } from '@/lib/shared/conversation/message-tree'
import { fitMarked } from '@/lib/shared/prompt/fit-marked'
import {
  countLeftOut,
  measureModelInput,
  type ModelInputOptions,
  type PromptCut,
} from '@/lib/shared/prompt/model-messages'
import type { StandingPart } from '@/lib/shared/prompt/standing-part'
import { isBeyond, promptBudgetOf, type PromptWindow, ratioLearntIn } from '@/lib/shared/prompt/prompt-budget'

/** What of a branch a model is asked with. */
export interface FittedPrompt {
  readonly stored: StoredBranch
  /** The end of the branch, with the message that is answered. */
  readonly path: readonly Message[]
  /** Left out: all of the path is sent. */
  readonly cut?: PromptCut
  /** The system prompt with the tools; left out: it was not needed yet. */
  readonly standing?: StandingPart
  /** As the reply keeps it. */
  readonly trimmed?: TrimmedPrompt
  /** About how many tokens it has, as they are estimated; left out: nobody counted. */
  readonly tokens?: number
  /** Names of the chat's own tools that the asking page can carry out. */
  readonly connected?: readonly string[]
  /** What must be sent is longer than any prompt that this model takes. */
  readonly beyond?: { readonly tokens: number; readonly windowTokens: number }
}

/** At most so many messages are read at once to fill a window. */
const MOST = 2_000
/** And so many times as many as are there: the end of a chat may be shorter, or longer, than what stands before it. */
const GROWTH = 3

/**
 * Decides what is sent to a model, and reads as much of the branch as fills its window. `more` reads so many older messages.
 * Without a window all that was read is sent.
 */
export async function fitPrompt(
  line: { readonly stored: StoredBranch; readonly window: PromptWindow | null },
  plan: Pick<AppendPlan, 'userMessage' | 'reply'>,
  measured: (
    stored: StoredBranch,
    path: readonly Message[],
  ) => Omit<ModelInputOptions, 'conversation' | 'path' | 'amendments'>,
  more: (stored: StoredBranch, count: number) => Promise<StoredBranch>,
): Promise<FittedPrompt> {
  const { window } = line
  const { reading } = plan.reply
  let { stored } = line
  for (;;) {
    const path = pathOf(stored, plan)
    const { conversation, amendments } = stored
    const { marks } = conversation
    if (window === null && !marks) return { stored, path }
    const { part, standing, turns } = measureModelInput({
      ...measured(stored, path),
      conversation,
      amendments,
      path,
      ...(reading && { reading }),
    })
    const ratio = ratioLearntIn(path, plan.reply.model)
    const room = window && Math.floor(promptBudgetOf(window, ratio !== null) / (ratio ?? 1)) - standing
    const fit = fitMarked(turns, stored.older, room, marks)
    const tokens = turns.reduce((sum, turn) => sum + turn.tokens, 0)
    if (room !== null && stored.older > 0 && !fit.compacted && tokens <= room) {
      const each = Math.max(1, tokens / turns.length)
      const wanted = Math.ceil((room - tokens) / each) + turns.length
      stored = await more(stored, Math.min(MOST, stored.messages.length * GROWTH, wanted))
      continue
    }
    const assumed = window?.isKnown === false ? ({ assumed: true } as const) : {}
    const { anchor, from, pinned, compacted } = fit
    const cut: PromptCut = { older: stored.older, anchor, from, pinned, compacted, ...assumed }
    const messages = countLeftOut(cut)
    const whole = standing + fit.tokens
    return {
      stored,
      path,
      standing: part,
      tokens: whole,
      ...((messages > 0 || compacted) && { cut }),
      ...(messages > 0 && window && { trimmed: { messages, windowTokens: window.tokens, ...assumed } }),
      // Nobody is refused by a guess.
      ...(!fit.fits &&
        window?.isKnown &&
        isBeyond(whole, window.tokens) && { beyond: { tokens: whole, windowTokens: window.tokens } }),
    }
  }
}

function pathOf({ messages }: StoredBranch, { userMessage, reply }: Pick<AppendPlan, 'userMessage' | 'reply'>) {
  return treePathTo(treeOf(userMessage ? [...messages, userMessage] : messages), reply.parentId)
}
