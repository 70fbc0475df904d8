import type { StrategyId } from './tool-context-def'

/** How a reply is written: as its strategy says, or as one JSON value in which words, too, are JSON (`whole-reply.ts`). */
export type ReplyForm = StrategyId | 'whole'

/** The form of a reply that was begun under this strategy; `reading`: as its row says. */
export const formOf = (reply: { readonly strategy: StrategyId; readonly reading?: 'whole' }): ReplyForm =>
  reply.reading ?? reply.strategy
