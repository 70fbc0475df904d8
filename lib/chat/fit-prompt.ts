import type { AppendPlan, StoredBranch } from '@/lib/store/store'
import type { Message, TrimmedPrompt } from '@/lib/conversation/conversation'
import { treeOf, treePathTo } from '@/lib/conversation/message-tree'
import { fitWindow } from './fit-window'
import { countLeftOut, measureModelInput, type ModelInputOptions, type PromptCut } from './model-messages'
import { isBeyond, roomIn } from './window-room'

/** What of a branch a model is asked with. */
export interface FittedPrompt {
  readonly stored: StoredBranch
  /** The end of the branch, with the message that is answered. */
  readonly path: readonly Message[]
  /** Left out: all of the path is sent. */
  readonly cut?: PromptCut
  /** As the reply keeps it. */
  readonly trimmed?: TrimmedPrompt
  /** What must be sent is longer than any prompt that this model takes. */
  readonly beyond?: { readonly tokens: number; readonly windowTokens: number }
}

/** At most so many messages are read at once to fill a window. */
const MOST = 2_000

/**
 * Decides what is sent to a model whose window is known, and reads as much of the branch as fills it. `more` reads so many
 * older messages. With no window known all that was read is sent.
 */
export async function fitPrompt(
  line: { readonly stored: StoredBranch; readonly windowTokens: number | null },
  plan: Pick<AppendPlan, 'userMessage' | 'reply'>,
  measured: (
    stored: StoredBranch,
    path: readonly Message[],
  ) => Omit<ModelInputOptions, 'conversation' | 'path' | 'amendments'>,
  more: (stored: StoredBranch, count: number) => Promise<StoredBranch>,
): Promise<FittedPrompt> {
  const { windowTokens } = line
  let { stored } = line
  for (;;) {
    const path = pathOf(stored, plan)
    if (windowTokens === null) return { stored, path }
    const { conversation, amendments } = stored
    const { standing, turns } = measureModelInput({ ...measured(stored, path), conversation, amendments, path })
    const room = roomIn(windowTokens) - standing
    const tokens = turns.reduce((sum, turn) => sum + turn.tokens, 0)
    if (stored.older > 0 && tokens <= room) {
      const each = Math.max(1, tokens / turns.length)
      const wanted = Math.ceil((room - tokens) / each) + turns.length
      stored = await more(stored, Math.min(MOST, wanted))
      continue
    }
    const fit = fitWindow(turns, stored.older, room)
    const cut = { older: stored.older, anchor: fit.anchor, from: fit.from }
    const messages = countLeftOut(cut)
    const whole = standing + fit.tokens
    return {
      stored,
      path,
      ...(messages > 0 && { cut, trimmed: { messages, windowTokens } }),
      ...(!fit.fits && isBeyond(whole, windowTokens) && { beyond: { tokens: whole, windowTokens } }),
    }
  }
}

function pathOf({ messages }: StoredBranch, { userMessage, reply }: Pick<AppendPlan, 'userMessage' | 'reply'>) {
  return treePathTo(treeOf(userMessage ? [...messages, userMessage] : messages), reply.parentId)
}
