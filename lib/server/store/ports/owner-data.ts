/** How much somebody keeps here. */
export interface OwnerData {
  readonly chats: number
  readonly messages: number
  /** Of all that they wrote or let in (`testing/kept-columns.ts`). */
  readonly bytes: number
  readonly presets: number
}

export interface Visit {
  readonly owner: string
  readonly hasAccount: boolean
}

/** What goes: all of somebody, and what nobody comes back to. Every step is small, and doing it twice does no harm. */
export interface OwnerDataStore {
  ownerData(owner: string): Promise<OwnerData>
  /** Owners of browsers that signed in to this one's account: chats of theirs may still be on their way. */
  comingTo(owner: string): Promise<readonly string[]>
  /** Replies that are being written, or wait. */
  runningOf(owner: string): Promise<readonly { readonly owner: string; readonly runId: string }[]>
  /**
   * Hides all of an owner for good in one short transaction: nobody can read it or take it back. What they used becomes numbers of
   * nobody. `purgeErased` deletes the rows. Gives how many chats it hid.
   */
  eraseOwner(owner: string): Promise<number>
  /** Deletes erased chats, at most so many, whosever they were; gives how many went. */
  purgeErased(atMost: number): Promise<number>
  /** Notes who was here, in one statement; `hasAccount` once is for ever. */
  noteVisits(visits: readonly Visit[], now: number): Promise<void>
  /** Deletes chats that nobody touched since, at most so many; gives how many went. */
  deleteUntouched(before: number, atMost: number): Promise<number>
  /** Deletes chats of visitors without an account who were not here since, and the visitors; gives how many of both went. */
  deleteOrphans(before: number, atMost: number): Promise<number>
  /** The last time that was trusted here (epoch milliseconds), or that of the newest row while nobody noted one; null: there is nothing. */
  trustedTime(): Promise<number | null>
  /** Notes a time that is trusted. */
  noteTrustedTime(at: number): Promise<void>
  /** Forgets which requests long-ended replies answered; gives of how many. */
  forgetRuns(endedBefore: number, atMost: number): Promise<number>
}
