/** How much somebody keeps here. */
export interface OwnerData {
  readonly chats: number
  readonly messages: number
  /** Of all that they wrote or let in (`testing/kept-columns.ts`). */
  readonly bytes: number
  readonly presets: number
}

/** What goes: all of somebody, and what nobody comes back to. Every step is small, and doing it twice does no harm. */
export interface OwnerDataStore {
  ownerData(owner: string): Promise<OwnerData>
  /** Owners of browsers that signed in to this one's account: chats of theirs may still be on their way. */
  comingTo(owner: string): Promise<readonly string[]>
  /** Replies that are being written, or wait. */
  runningOf(owner: string): Promise<readonly { readonly owner: string; readonly runId: string }[]>
  /** Deletes chats of an owner, at most so many, and says which. When none is left their use becomes numbers of nobody. */
  deleteOwnerData(
    owner: string,
    atMost: number,
  ): Promise<{ readonly deleted: readonly string[]; readonly more: boolean }>
  /** Notes that somebody was here; `hasAccount` once is for ever. */
  noteVisit(owner: string, hasAccount: boolean, now: number): Promise<void>
  /** Deletes chats that nobody touched since, at most so many; gives how many went. */
  deleteUntouched(before: number, atMost: number): Promise<number>
  /** Deletes chats of visitors without an account who were not here since, and the visitors; gives how many of both went. */
  deleteOrphans(before: number, atMost: number): Promise<number>
  /** Forgets which requests long-ended replies answered; gives of how many. */
  forgetRuns(endedBefore: number, atMost: number): Promise<number>
}
